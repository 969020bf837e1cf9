/** Gives marks the indentation of the lines that they stand for. */
import { isBlank } from '../review/lines.ts';
import { CONTENT, type ReadLine } from './lineReader.ts';
import type { Syntax } from './syntax.ts';

const CLOSER = /^(?:[)\]}]|end\b|<\/|fi\b|done\b|esac\b)/;

/** Answers often write marks at the beginning of the line. They belong to the lines around them. */
export function withMarksInPlace(
  read: readonly ReadLine[],
  texts: readonly string[],
  marks: ReadonlySet<number>,
  { blocks }: Syntax,
): readonly ReadLine[] {
  if (marks.size === 0) return read;
  const isCode = (index: number) => !marks.has(index) && !isBlank(texts[index] ?? '');
  const result = [...read];
  for (const mark of marks) {
    let [before, after] = [mark - 1, mark + 1];
    while (before >= 0 && !isCode(before)) before -= 1;
    while (after < texts.length && !isCode(after)) after += 1;
    const line = read[mark];
    if (line === undefined) continue;
    const [previous, next] = [read[before]?.indent ?? 0, read[after]?.indent ?? 0];
    if (blocks === 'sections') {
      // After a blank line, it stands for the sections that follow.
      const heading = read.slice(0, mark).findLast(({ indent }) => indent < CONTENT)?.indent;
      const isApart = isBlank(texts[mark - 1] ?? '') && previous >= CONTENT;
      const sibling = after === texts.length ? heading : next;
      if (isApart && sibling !== undefined && sibling < CONTENT) result[mark] = { ...line, indent: sibling };
      continue;
    }
    const isBeforeCloser = CLOSER.test(texts[after]?.trim() ?? '');
    const isIndented = line.indent > next;
    const inside = isBeforeCloser && !isIndented ? Math.max(previous, next) : next;
    if (Number.isFinite(inside)) result[mark] = { ...line, indent: Math.max(line.indent, inside) };
  }
  return result;
}
