/** What two files with instructions may have in common. */
export interface ComparedFile {
  /** The full path. */
  readonly path: string;
  /** The path after links were followed. */
  readonly realPath: string;
  readonly text: string;
}

/** A name of a Markdown file, with its path. */
const MENTIONED = /[\w@./~-]*\b[\w-]+(?:\.[\w-]+)*\.md\b/gi;

/**
 * Finds the files that say the same as another one, so that it is sent once: links, copies, and those that only point to it.
 * Of two copies, the first one counts.
 * @returns the file that is sent instead, by the path of the other one.
 */
export function twinsOf<T extends ComparedFile>(files: readonly T[]): ReadonlyMap<string, T> {
  const twins = new Map<string, T>();
  files.forEach((file, index) => {
    const said = files.find((other, place) => other !== file && isTwin(file, other, place < index));
    const twin = said && (twins.get(said.path) ?? said);
    if (twin !== undefined && twin !== file) twins.set(file.path, twin);
  });
  return twins;
}

function isTwin(file: ComparedFile, other: ComparedFile, isEarlier: boolean): boolean {
  if (pointsTo(file, other)) return true;
  return isEarlier && (other.realPath === file.realPath || comparable(other.text) === comparable(file.text));
}

/** Whether each sentence of a text mentions the other file, and no further one, such as `@AGENTS.md`. */
function pointsTo({ path, text }: ComparedFile, other: ComparedFile): boolean {
  const said = text
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^\s*#.*$/gm, '')
    .trim();
  const mentioned = [...said.matchAll(MENTIONED)].map(([name]) => resolved(path, name));
  if (mentioned.length === 0 || mentioned.some((name) => name !== other.path)) return false;
  const sentences = said.replace(MENTIONED, '\0').split(/[.!?:]\s+|\n+/);
  return sentences.every((sentence) => sentence.includes('\0') || !/\p{L}/u.test(sentence));
}

function resolved(path: string, written: string): string {
  const name = written.replace(/^@/, '');
  if (name.startsWith('/')) return name;
  const parts = path.split('/').slice(0, -1);
  for (const part of name.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

function comparable(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
