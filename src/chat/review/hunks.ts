/** Divides the difference of two texts into changes that can be accepted one by one. */
import { diffArrays } from 'diff';
import { isBlank, linesOf } from './lines.ts';

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
  const hunks: OpenHunk[] = [];
  let line = 0;
  let open: OpenHunk | undefined;
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
  return joined(hunks, oldLines);
}

interface OpenHunk extends Hunk {
  readonly oldLines: string[];
  readonly newLines: string[];
}

/** Blank lines around a new function can be equal to those around its neighbors in several ways, of which one is one change. */
function joined(hunks: readonly OpenHunk[], lines: readonly string[]): Hunk[] {
  const result: OpenHunk[] = [];
  for (const hunk of hunks) {
    const previous = result.at(-1);
    const between = previous === undefined ? [] : lines.slice(previous.start + previous.oldLines.length, hunk.start);
    const side = hunk.oldLines.length === 0 ? 'newLines' : 'oldLines';
    const isOneSided = hunk.oldLines.length === 0 || hunk.newLines.length === 0;
    const moved = [...between, ...hunk[side]].slice(0, hunk[side].length);
    const stays = [...between, ...hunk[side]].slice(hunk[side].length);
    const isSame = between.every((line, index) => isBlank(line) && line === stays[index]);
    if (previous !== undefined && isOneSided && isSame) previous[side].push(...moved);
    else result.push(hunk);
  }
  return result;
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
