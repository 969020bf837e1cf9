/** A text and its new form as changes that can be taken one by one. */
import { diffArrays } from 'diff';
import { linesOf } from './lines.ts';

/** Lines of one text in the place of lines of another. Either may be none. */
export interface Hunk {
  /** Where it begins in the old text, in lines counted from 0. */
  readonly start: number;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
}

/** What makes the new text of the old one, from the top down. Between two changes stands at least one equal line. */
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

/** The old text with some of its changes, which are in their order. */
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
