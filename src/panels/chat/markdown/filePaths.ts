/** Finds the paths of files in the text of an answer, such as `src/session.ts:42` and `session.ts#L3-L9`. */

/** A path as written, and its lines, counted from 1. */
export interface FilePath {
  readonly path: string;
  readonly line?: number;
  readonly endLine?: number;
}

/** A path in text, with its position. */
export interface FoundPath extends FilePath {
  readonly start: number;
  /** The path as written, with its lines. */
  readonly raw: string;
}

const LINES = /(?::(\d{1,7})(?::\d{1,5}(?!\d))?(?:[-–](\d{1,7}))?|#L(\d{1,7})(?:C\d+)?(?:[-–]L?(\d{1,7})(?:C\d+)?)?)?/;

/** Folders, and a name with an extension that begins with a letter. */
const IN_TEXT = new RegExp(
  String.raw`(?<![\w./\\@:#-])((?:\.{1,2}/|/)?(?:@?[\w.+~-]+/)*[\w+~-][\w.+~-]*\.[A-Za-z]\w{0,11})${LINES.source}(?![\w/@])`,
  'g',
);

/** In inline code, names with brackets and names without an extension inside a folder are accepted too. */
const ALONE = new RegExp(
  String.raw`^((?:[A-Za-z]:[/\\]|\\\\)?(?:[\w.@+~()[\]-]+[/\\])*[\w@+~()[\].-]*\.[A-Za-z]\w{0,11}|/?(?:[\w.@+~()[\]-]+/)+[\w.@+~-]+|[A-Z]\w*file|LICENSE|\.\w[\w.-]*)${LINES.source}$`,
);

/** Longer texts are not paths. In characters. */
const MAX_LENGTH = 300;

const WORD = /\S+/g;

/** Returns the path if the whole inline code is a path. */
export function pathOf(code: string): FilePath | undefined {
  const match = code.length > MAX_LENGTH ? null : ALONE.exec(code);
  return match === null ? undefined : read(match);
}

/**
 * Returns the paths in a text, in order. The host checks whether the files exist. A word that is longer than any path
 * is skipped, because the pattern reads it once for each of its characters.
 */
export function pathsIn(text: string): FoundPath[] {
  if (!text.includes('.')) return [];
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) =>
    word.length > MAX_LENGTH || !word.includes('.')
      ? []
      : [...word.matchAll(IN_TEXT)].map((match) => ({ ...read(match), start: index + match.index, raw: match[0] })),
  );
}

/** Reads a path and its lines, which are written after a colon or after `#L`. */
function read([, path = '', colonLine, colonEnd, hashLine, hashEnd]: RegExpMatchArray): FilePath {
  const line = Number(colonLine ?? hashLine ?? 0);
  const endLine = Number(colonEnd ?? hashEnd ?? 0);
  return { path, ...(line > 0 && { line }), ...(line > 0 && endLine >= line && { endLine }) };
}
