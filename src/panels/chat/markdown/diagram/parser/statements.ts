/** Reads what all kinds of diagrams have in common: a first line, titles, descriptions, and one statement per line. */

export interface Statement {
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
}

export interface DiagramSource {
  /** The rest of the line after the kind. */
  readonly head: string;
  readonly statements: readonly Statement[];
  readonly titles: DiagramTitles;
}

export interface DiagramTitles {
  readonly title?: string;
  readonly accTitle?: string;
  readonly accDescr?: string;
}

const COMMENT = /^\s*%%/;

/** @throws Error if the source is another kind of diagram. */
export function readSource(source: string, kind: string): DiagramSource {
  const lines = source
    .replace(/accDescr\s*\{([^}]*)\}/, (_, text: string) => `accDescr: ${text.trim().replaceAll(/\s+/g, ' ')}`)
    .split(/\r?\n/)
    .map((text, index) => ({ text: COMMENT.test(text) ? '' : text.trim(), line: index + 1 }))
    .filter(({ text }) => text !== '');
  const [first, ...rest] = lines;
  if (first?.text.startsWith(kind) !== true) throw new Error(`A diagram of this kind begins with “${kind}”.`);
  const titles: { -readonly [Name in keyof DiagramTitles]: DiagramTitles[Name] } = {};
  const statements = rest.filter(({ text }) => !readTitle(text, titles));
  return { head: first.text.slice(kind.length).trim(), statements, titles };
}

/** @returns whether the line was a title or a description. */
function readTitle(text: string, titles: { -readonly [Name in keyof DiagramTitles]: DiagramTitles[Name] }): boolean {
  const [, name, value] = /^(title|accTitle|accDescr)(?:\s*:\s*|\s+)(.+)$/.exec(text) ?? [];
  if (value === undefined || (name !== 'title' && name !== 'accTitle' && name !== 'accDescr')) return false;
  titles[name] = value;
  return true;
}

export function notUnderstood({ text, line }: Statement): Error {
  return new Error(`Line ${line} is not understood: ${text}`);
}

/** Returns the text within quotes, or an unquoted word unchanged. */
export function unquoted(text: string): string {
  return /^(["']).*\1$/s.test(text) ? text.slice(1, -1) : text;
}
