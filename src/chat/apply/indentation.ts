import { indentOf, isBlank } from '../review/lines.ts';
import type { Level } from './structure.ts';

/** A line of the text and the corresponding line of the code. */
export interface IndentedPair {
  readonly line: string;
  readonly code: string;
}

/**
 * Gives code the indentation of the text that it is inserted into: answers often show a method unindented, or with
 * spaces where the text has tabs. Without a clear difference, the code is unchanged.
 * @param whole The whole text, and all code, which tell by how much each indents a block.
 */
export function reindent(
  code: readonly string[],
  pairs: readonly IndentedPair[],
  whole?: { readonly text: readonly string[]; readonly code: readonly string[] },
): string[] {
  const tabs =
    pairs.some(({ line }) => indentOf(line).startsWith('\t')) || (whole !== undefined && usesTabs(whole.text));
  const spelled = tabs
    ? withTabs(code, whole && unitOf(whole.code))
    : whole === undefined
      ? code
      : withUnit(code, whole);
  const respelled = new Map(code.map((line, index) => [line, spelled[index] ?? line]));
  const shift = commonShift(pairs.map(({ line, code: other }) => ({ line, code: respelled.get(other) ?? other })));
  return spelled.map((line) => shifted(line, shift));
}

/** Converts leading spaces to tabs, by the smallest indentation in the code. Code that has tabs is unchanged. */
function withTabs(code: readonly string[], known?: number): readonly string[] {
  const indents = code.filter((line) => !isBlank(line)).map(indentOf);
  if (indents.some((indent) => indent.includes('\t'))) return code;
  const unit = known ?? Math.min(...indents.map(({ length }) => length).filter((length) => length > 1));
  if (!Number.isFinite(unit)) return code;
  return code.map((line) => {
    const { length } = indentOf(line);
    return '\t'.repeat(Math.floor(length / unit)) + ' '.repeat(length % unit) + line.slice(length);
  });
}

function usesTabs(lines: readonly string[]): boolean {
  const indented = lines.filter((line) => /^[ \t]/.test(line) && !isBlank(line));
  return indented.length > 0 && indented.every((line) => line.startsWith('\t'));
}

/** The number of spaces by which most lines are indented further than the line before. Undefined if there are none. */
function unitOf(lines: readonly string[]): number | undefined {
  const counts = new Map<number, number>();
  let previous = 0;
  for (const line of lines) {
    if (isBlank(line)) continue;
    const { length } = indentOf(line);
    if (length > previous + 1) counts.set(length - previous, (counts.get(length - previous) ?? 0) + 1);
    previous = length;
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** Indents blocks by as many spaces as the text does, if all lines of the code are indented by whole blocks. */
function withUnit(
  code: readonly string[],
  whole: { readonly text: readonly string[]; readonly code: readonly string[] },
): readonly string[] {
  const [wanted, unit] = [unitOf(whole.text), unitOf(whole.code)];
  const indents = code.filter((line) => !isBlank(line)).map((line) => indentOf(line).length);
  const least = Math.min(...indents);
  if (wanted === undefined || unit === undefined || wanted === unit || wanted > 8 || unit > 8) return code;
  if (indents.every((length) => length === least) || indents.some((length) => (length - least) % unit !== 0))
    return code;
  return code.map((line) => {
    if (isBlank(line)) return line;
    const { length } = indentOf(line);
    return ' '.repeat(least + ((length - least) / unit) * wanted) + line.slice(length);
  });
}

/** The indentation to add to or remove from each line. */
interface Shift {
  readonly add: string;
  readonly remove: string;
}

const NO_SHIFT: Shift = { add: '', remove: '' };

/** The difference that most of the pairs have. */
function commonShift(pairs: readonly IndentedPair[]): Shift {
  const counts = new Map<string, { readonly shift: Shift; readonly count: number }>();
  for (const { line, code } of pairs) {
    if (isBlank(line)) continue;
    const shift = shiftOf(indentOf(line), indentOf(code));
    const key = `${shift.add}|${shift.remove}`;
    counts.set(key, { shift, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  const [mostCommon] = [...counts.values()].sort((a, b) => b.count - a.count);
  return mostCommon?.shift ?? NO_SHIFT;
}

function shiftOf(line: string, code: string): Shift {
  if (line.endsWith(code)) return { add: line.slice(0, line.length - code.length), remove: '' };
  if (code.endsWith(line)) return { add: '', remove: code.slice(0, code.length - line.length) };
  return NO_SHIFT;
}

function shifted(line: string, { add, remove }: Shift): string {
  if (isBlank(line)) return line;
  return line.startsWith(remove) ? add + line.slice(remove.length) : line;
}

/** The indentation that the items of a level have, or would have. */
export function indentOfItems(lines: readonly string[], { items, owner, start, end }: Level): string {
  const first = items.find(({ isComment }) => !isComment) ?? items[0];
  if (first !== undefined) return indentOf(lines[first.head] ?? '');
  const written = lines.slice(start, end).find((line) => !isBlank(line));
  if (written !== undefined) return indentOf(written);
  const own = owner === undefined ? '' : indentOf(lines[owner.head] ?? '');
  return own + (owner === undefined ? '' : own.startsWith('\t') ? '\t' : '  ');
}
