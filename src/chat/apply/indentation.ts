import { indentOf, isBlank } from '../review/lines.ts';

/** A line of the text and the corresponding line of the code. */
export interface IndentedPair {
  readonly line: string;
  readonly code: string;
}

/**
 * Gives code the indentation of the text that it is inserted into: answers often show a method unindented, or with
 * spaces where the text has tabs. Without a clear difference, the code is unchanged.
 */
export function reindent(code: readonly string[], pairs: readonly IndentedPair[]): string[] {
  const tabs = pairs.some(({ line }) => indentOf(line).startsWith('\t'));
  const spelled = tabs ? withTabs(code) : code;
  const respelled = new Map(code.map((line, index) => [line, spelled[index] ?? line]));
  const shift = commonShift(pairs.map(({ line, code: other }) => ({ line, code: respelled.get(other) ?? other })));
  return spelled.map((line) => shifted(line, shift));
}

/** Converts leading spaces to tabs, by the smallest indentation in the code. Code that has tabs is unchanged. */
function withTabs(code: readonly string[]): readonly string[] {
  const indents = code.filter((line) => !isBlank(line)).map(indentOf);
  if (indents.some((indent) => indent.includes('\t'))) return code;
  const unit = Math.min(...indents.map(({ length }) => length).filter((length) => length > 1));
  if (!Number.isFinite(unit)) return code;
  return code.map((line) => {
    const { length } = indentOf(line);
    return '\t'.repeat(Math.floor(length / unit)) + ' '.repeat(length % unit) + line.slice(length);
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
