import { type Hunk, hunksBetween, withHunks } from '../../../chat/review/hunks.ts';
import type { ChangedFile } from '../changedFile.ts';

/**
 * The text of a file with the changes of the run that are still there, and without the user's own edits. It is undefined
 * if there is no file.
 */
export function resultOf({ before, after, left }: ChangedFile): string | undefined {
  // A file that the user has deleted is gone, whatever the run did.
  if (left === undefined || left.text === after || after === undefined) return after;
  if (after === before) return before;
  if (before === undefined || left.text === undefined) return left.text;
  return [before, left.text, after].some(isBinary) ? left.text : withoutUndone(before, left.text, after);
}

export function isBinary(text: string): boolean {
  return text.includes('\0');
}

/** Removes the changes of the run that the user has reverted manually. */
function withoutUndone(before: string, left: string, after: string): string {
  const [ownEdits, allEdits] = [hunksBetween(left, after), hunksBetween(before, after)];
  let growth = 0;
  const kept = hunksBetween(before, left).filter((hunk) => {
    const reversed: Hunk = { start: hunk.start + growth, oldLines: hunk.newLines, newLines: hunk.oldLines };
    growth += hunk.newLines.length - hunk.oldLines.length;
    return !touches(reversed, ownEdits) || touches(hunk, allEdits);
  });
  return withHunks(before, kept);
}

/** Whether one of these edits is in the lines of a change, or beside a place where it has none. */
function touches({ start, oldLines: { length } }: Hunk, edits: readonly Hunk[]): boolean {
  const end = start + length;
  return edits.some((edit) => {
    const editEnd = edit.start + edit.oldLines.length;
    return length === 0 ? edit.start <= end && start <= editEnd : edit.start < end && start < editEnd;
  });
}
