/** Divides the difference of two texts into changes that can be accepted one by one. */
import { diffArrays } from 'diff';
import { linesOf } from './lines.ts';

/** The most added and removed lines for which the shortest difference is looked for, which takes their square. */
export const MAX_COMPARED = 1500;

/** Lines of one text that replace lines of another. Either may be empty. */
export interface Hunk {
  /** The first line in the old text, counted from 0. */
  readonly start: number;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
}

/**
 * Returns the changes from the old text to the new one, from the top down. At least one equal line separates two
 * changes. If the texts differ too much, there is one change from the first different line to the last one.
 */
export function hunksBetween(oldText: string, newText: string, maxEditLength = MAX_COMPARED): Hunk[] {
  if (oldText === newText) return [];
  const [oldLines, newLines] = [linesOf(oldText), linesOf(newText)];
  const parts = diffArrays(oldLines, newLines, { maxEditLength });
  if (parts === undefined) return [wholeChange(oldLines, newLines)];
  const hunks: Hunk[] = [];
  let line = 0;
  let open: { start: number; oldLines: string[]; newLines: string[] } | undefined;
  for (const { value, added, removed } of parts) {
    if (!added && !removed) {
      open = undefined;
      line += value.length;
      continue;
    }
    if (open === undefined) {
      open = { start: line, oldLines: [], newLines: [] };
      hunks.push(open);
    }
    if (added) open.newLines.push(...value);
    else {
      open.oldLines.push(...value);
      line += value.length;
    }
  }
  return hunks;
}

/** Replaces all lines, except the common ones at the beginning and end. */
function wholeChange(oldLines: readonly string[], newLines: readonly string[]): Hunk {
  const shorter = Math.min(oldLines.length, newLines.length);
  let start = 0;
  while (start < shorter && oldLines[start] === newLines[start]) start += 1;
  let end = 0;
  while (end < shorter - start && oldLines.at(-1 - end) === newLines.at(-1 - end)) end += 1;
  const middle = (lines: readonly string[]) => lines.slice(start, lines.length - end);
  return { start, oldLines: middle(oldLines), newLines: middle(newLines) };
}

/** Applies some of the changes, which must be in order, to the old text. */
export function withHunks(oldText: string, hunks: readonly Hunk[]): string {
  const lines = linesOf(oldText);
  let from = 0;
  const parts = hunks.flatMap(({ start, oldLines, newLines }) => {
    const kept = lines.slice(from, start);
    from = start + oldLines.length;
    return [...kept, ...newLines];
  });
  return [...parts, ...lines.slice(from)].join('');
}
