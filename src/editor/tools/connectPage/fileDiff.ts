import { structuredPatch } from 'diff';
import { maskedLine } from './maskedLine.ts';
import type { DiffLine } from './protocol.ts';

/** The number of unchanged lines shown around each change. */
const CONTEXT = 3;

/** Returns the changed lines between two texts, with keys and passwords masked. */
export function diffLines(before: string, after: string): DiffLine[] {
  const { hunks } = structuredPatch('', '', before, after, undefined, undefined, { context: CONTEXT });
  let shown = 0;
  return hunks.flatMap(({ oldStart, oldLines, newStart, lines }): DiffLine[] => {
    const isApart = oldStart > shown + 1;
    shown = oldStart + oldLines - 1;
    return [...(isApart ? [{ kind: 'gap' } as const] : []), ...numbered(lines, oldStart, newStart)];
  });
}

function numbered(lines: readonly string[], oldStart: number, newStart: number): DiffLine[] {
  let [oldLine, newLine] = [oldStart, newStart];
  return lines.flatMap((line): DiffLine[] => {
    const text = maskedLine(line.slice(1).replace(/\r$/, ''));
    switch (line[0]) {
      case '+':
        return [{ kind: 'added', new: newLine++, text }];
      case '-':
        return [{ kind: 'removed', old: oldLine++, text }];
      case ' ':
        return [{ kind: 'same', old: oldLine++, new: newLine++, text }];
      default:
        // The note that the file does not end with a line break.
        return [];
    }
  });
}
