import { type Hunk, hunksBetween, withHunks } from './hunks.ts';

/** A text with the changes that could be placed in it, and those that could not. */
export interface RebasedHunks {
  readonly text: string;
  readonly rejected: readonly Hunk[];
}

/**
 * Applies changes of one text to a text that it was edited to since. A change of lines that were edited is rejected.
 * @param hunks changes of `from`, in order.
 */
export function rebased(hunks: readonly Hunk[], from: string, to: string): RebasedHunks {
  const edits = hunksBetween(from, to);
  const applicable = hunks.filter((hunk) => !isEdited(hunk, edits));
  const moved = applicable.map((hunk) => ({ ...hunk, start: hunk.start + growthBefore(edits, hunk.start) }));
  return { text: withHunks(to, moved), rejected: hunks.filter((hunk) => isEdited(hunk, edits)) };
}

/** Whether any of these edits changes lines that a change replaces. Both are changes of the same text. */
function isEdited(hunk: Hunk, edits: readonly Hunk[]): boolean {
  return edits.some((edit) => edit.start < endOf(hunk) && hunk.start < endOf(edit));
}

function growthBefore(edits: readonly Hunk[], line: number): number {
  return edits
    .filter((edit) => endOf(edit) <= line)
    .reduce((sum, { oldLines, newLines }) => sum + newLines.length - oldLines.length, 0);
}

function endOf({ start, oldLines }: Hunk): number {
  return start + oldLines.length;
}
