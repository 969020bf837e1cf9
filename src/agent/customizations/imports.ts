/** Finds what a file with instructions for Claude Code imports: a path behind `@` in its text. */

export interface Import {
  /** As it is written, without the mark and what ends a sentence. */
  readonly path: string;
  /** The number of its line, from 1. */
  readonly line: number;
}

/** Files that import others, which import others in turn, up to this depth. */
export const MAX_IMPORT_DEPTH = 5;

// The lookahead keeps the marks together: giving them back one by one would take long.
const FENCED =
  /^([ \t]*(?:>[ \t]*)*)(?=(`{3,}|~{3,}))\2[^\n]*\n[\s\S]*?(?:\n[ \t>]*\2[`~]*[ \t]*(?=\n|$)|$(?![\s\S]))/gm;
const MARK = /(?<=^|\s)@(?:"([^"\n]+)"|((?:\\ |\S)+))/g;
/** Paths begin with these. `@types/node` and the name of a person do, too: only files that exist are imported. */
const PATH = /^(?:~?\/|[\w.-])/;

/** Nothing is imported by code blocks, code in a line, and comments. */
export function importsIn(source: string): readonly Import[] {
  const text = withoutComments(withoutCode(source.replace(FENCED, blank)));
  return [...text.matchAll(MARK)].flatMap(({ 1: quoted, 2: written = '', index }) => {
    const path = withSlashes(quoted ?? written.replace(/#.*$/, '')).replace(/[.,;:!?)\]}"'*_\\]+$/, '');
    return PATH.test(path) ? [{ path, line: text.slice(0, index).split('\n').length }] : [];
  });
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

/** Blanks code in lines: from some backticks to the next ones of the same number. */
function withoutCode(text: string): string {
  const runs = [...text.matchAll(/`+/g)];
  const places = Map.groupBy(runs.keys(), (nth) => runs[nth]?.[0].length);
  for (const same of places.values()) same.reverse();
  let [kept, from] = ['', 0];
  for (let nth = 0; nth < runs.length; nth++) {
    const { 0: run = '', index = 0 } = runs[nth] ?? {};
    const same = places.get(run.length) ?? [];
    while ((same.at(-1) ?? nth + 1) <= nth) same.pop();
    const closing = same.at(-1);
    if (closing === undefined) continue;
    const end = (runs[closing]?.index ?? 0) + run.length;
    kept += text.slice(from, index) + blank(text.slice(index, end));
    from = end;
    nth = closing;
  }
  return kept + text.slice(from);
}

function withoutComments(text: string): string {
  let [kept, from] = ['', 0];
  for (;;) {
    const start = text.indexOf('<!--', from);
    const end = start === -1 ? -1 : text.indexOf('-->', start + 4);
    if (end === -1) return kept + text.slice(from);
    kept += text.slice(from, start) + blank(text.slice(start, end + 3));
    from = end + 3;
  }
}

/** A backslash before a letter separates folders, as on Windows. Before another character, it only escapes it. */
function withSlashes(path: string): string {
  return path.replace(/\\(?=[A-Za-z\d.~])/g, '/').replace(/\\(?=[^A-Za-z\d])/g, '');
}
