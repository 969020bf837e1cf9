/** The kinds of text that have colors in configuration files. The chat's highlighter has a third of the page's size. */
export type SyntaxClass = 'name' | 'section' | 'string' | 'number' | 'word' | 'comment';

export interface SyntaxPart {
  readonly text: string;
  /** Undefined for plain text. */
  readonly kind?: SyntaxClass;
}

const STRING = `"(?:\\\\.|[^"\\\\])*"|'[^']*'`;

/** The groups are the kinds, in this order. A name is before `:` or `=`, and a comment after the start or a space. */
const PARTS = new RegExp(
  [
    `(?<comment>(?<=^|\\s)(?:#|//).*$)`,
    `(?<section>^\\s*\\[\\[?[\\w.-]+(?:\\.(?:${STRING}))*\\]\\]?\\s*$)`,
    `(?<name>(?:${STRING}|[\\w.$-]+)(?=\\s*(?:=|:(?:\\s|$))))`,
    `(?<string>${STRING})`,
    `(?<number>(?<=^|[\\s[,=])-?\\d[\\d_]*(?:\\.\\d+)?(?=$|[\\s,\\]}]))`,
    `(?<word>\\b(?:true|false|null)\\b)`,
  ].join('|'),
  'g',
);

/** Longer lines stay plain, so that none takes noticeable time. In characters. */
const MAX_LENGTH = 400;

/** Divides a line; the parts have the line's text. */
export function syntaxOf(line: string): readonly SyntaxPart[] {
  if (line.length > MAX_LENGTH) return [{ text: line }];
  const parts: SyntaxPart[] = [];
  let end = 0;
  for (const found of line.matchAll(PARTS)) {
    if (found.index > end) parts.push({ text: line.slice(end, found.index) });
    parts.push({ text: found[0], ...kindOf(found.groups) });
    end = found.index + found[0].length;
  }
  if (end < line.length) parts.push({ text: line.slice(end) });
  return parts;
}

function kindOf(groups: Readonly<Record<string, string | undefined>> = {}): Pick<SyntaxPart, 'kind'> {
  const kind = KINDS.find((name) => groups[name] !== undefined);
  return kind === undefined ? {} : { kind };
}

const KINDS: readonly SyntaxClass[] = ['comment', 'section', 'name', 'string', 'number', 'word'];
