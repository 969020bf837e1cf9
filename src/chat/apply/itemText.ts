/** What the lines of items say, by which two versions of an item are compared. */
import { indentOf, isBlank } from '../review/lines.ts';
import type { Item, Structure } from './structure.ts';
import { DECORATOR } from './syntax.ts';

/** An item's lines without the differences that do not matter: indentation, and a comma at its end. */
export function plainText({ lines }: Structure, { head, end }: Pick<Item, 'head' | 'end'>): string {
  return lines
    .slice(head, end)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
    .replace(/,$/, '');
}

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

export function wordsOf(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.match(WORD) ?? []));
}

/** The lines of a text, or of an item in it, without those that are comments. */
export function codeLines(
  { lines, syntax }: Pick<Structure, 'lines' | 'syntax'>,
  { start, end }: Pick<Item, 'start' | 'end'> = { start: 0, end: lines.length },
): readonly string[] {
  const { lineComments, hasBlockComments } = syntax;
  const isComment = (line: string) =>
    lineComments.some((sign) => line.startsWith(sign)) || (hasBlockComments && /^(?:\/\*|\*)/.test(line));
  return lines.slice(start, end).filter((line) => !isComment(line.trim()));
}

/** The fewest lines with several words that make it unlikely that two items have the same by chance. */
const MIN_BODY = 3;

/** The lines of an item after its head, without comments; empty if they are so few that others may have the same. */
export function bodyText(structure: Structure, item: Pick<Item, 'head' | 'end'>): string {
  const lines = plainText(structure, item).split('\n').slice(1);
  const code = lines.filter((line) => !/^(?:\/[/*]|\*|#|--)/.test(line));
  return code.filter((line) => /\w\W+\w/.test(line)).length >= MIN_BODY ? code.join('\n') : '';
}

/**
 * How deep each line of an item is within it, whatever the indentation is: 0 for its head, 1 for what it contains. Where
 * blocks are indented, this tells items with the same words apart.
 */
export function depthsOf({ lines }: Structure, { head, end }: Pick<Item, 'head' | 'end'>): string {
  const open: number[] = [];
  const written = lines.slice(head, end).filter((line) => !isBlank(line));
  return written
    .map((line) => {
      const width = indentOf(line).replaceAll('\t', '    ').length;
      while (open.length > 0 && (open.at(-1) ?? 0) > width) open.pop();
      if ((open.at(-1) ?? -1) < width) open.push(width);
      return open.length;
    })
    .join();
}

export const DECLARATION = /\b(?:function|def|fn|func|fun|sub|const|let|var)\b/;

/** Whether a function has its object as a parameter. */
export function isMethod(lines: readonly string[], { head }: Item): boolean {
  return /\(\s*(?:&?(?:mut\s+)?self|cls)\b/.test(lines.slice(head, head + 2).join('\n'));
}

/** What tells a method from a function, a field from a variable, and a heading from one of another level. */
export function kindOf({ lines }: Structure, item: Item): string {
  const [kind = '', word = ''] = item.identity.split(' ');
  const isBlock = item.bodies.length > 0;
  if (kind === 'name')
    return [kind, isBlock, DECLARATION.exec(lines[item.head] ?? '')?.[0], isMethod(lines, item)].join();
  return [kind, isBlock, /^(?:type|block|tag|item)$/.test(kind) ? '' : word].join();
}

/** The decorators before an item, such as those of the systems that it is for. */
export function decoratorsOf({ lines }: Structure, { start, head }: Item): string {
  const texts = lines.slice(start, head).map((line) => line.trim());
  return texts.filter((text) => DECORATOR.test(text)).join('\n');
}
