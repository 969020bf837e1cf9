/** Divides the difference of two texts into changes that can be accepted one by one. */
import { diffArrays } from 'diff';
import { linesOf } from './lines.ts';

/** Lines of one text that replace lines of another. Either may be empty. */
export interface Hunk {
  /** The first line in the old text, counted from 0. */
  readonly start: number;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
}

/**
 * Returns the changes from the old text to the new one, from the top down. At least one equal line separates two
 * changes.
 */
export function hunksBetween(oldText: string, newText: string): Hunk[] {
  const hunks: Hunk[] = [];
  let line = 0;
  let open: { start: number; oldLines: string[]; newLines: string[] } | undefined;
  for (const { value, added, removed } of diffArrays(linesOf(oldText), linesOf(newText))) {
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
