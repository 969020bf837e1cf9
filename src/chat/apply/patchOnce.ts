/** Places a change that is not reviewed before it is written: only where its lines occur exactly once. */
import { bare, isBlank, linesOf } from '../review/lines.ts';
import { MAX_DROPPED, oldLinesOf, placesOf, READINGS, rewritten, withEdits, withoutOuter } from './patch.ts';
import { LineIds, similarity } from './similarity.ts';
import type { UnifiedDiffLine } from './unifiedDiff.ts';

/** Context lines that differ must at least be as similar as this to those of the text. */
const MIN_SIMILARITY = 0.6;

export interface PatchedOnce {
  readonly text: string;
  /** The first changed or unchanged line of the hunk in the text, counted from 0, and the number of lines. */
  readonly start: number;
  readonly count: number;
}

/**
 * Applies a hunk like `patch`, with the same tolerance for spaces and for context lines at its ends, but never chooses
 * between several places.
 */
export function patchOnce(text: string, hunk: readonly UnifiedDiffLine[]): PatchedOnce | 'missing' | 'ambiguous' {
  const lines = linesOf(text).map(bare);
  for (let dropped = 0; dropped <= MAX_DROPPED; dropped += 1) {
    const shorter = withoutOuter(hunk, dropped);
    if (shorter === undefined) return 'missing';
    const { head, rest } = shorter;
    const old = oldLinesOf(rest);
    const left = oldLinesOf(hunk)
      .map((line, index) => ({ line, index }))
      .filter(({ index }) => index < head || index >= head + old.length);
    for (const reading of READINGS) {
      const places = placesOf(old, lines, 0, reading).filter((place) => areSimilar(left, lines, place - head));
      const [start] = places;
      if (places.length > 1) return 'ambiguous';
      if (start === undefined) continue;
      const edit = { start, end: start + old.length, lines: rewritten(lines, rest, start) };
      return { text: withEdits(text, [edit]), start, count: old.length };
    }
  }
  return 'missing';
}

/** An old line and its index in the hunk. */
interface OmittedLine {
  readonly line: string;
  readonly index: number;
}

/** Whether the omitted old lines, which may differ, are similar to the text from this line on. */
function areSimilar(left: readonly OmittedLine[], lines: readonly string[], start: number): boolean {
  const ids = new LineIds();
  return left.every(({ line, index }) => {
    const other = lines[start + index] ?? '';
    if (isBlank(line) || isBlank(other)) return isBlank(line) && isBlank(other);
    const [a, b] = [ids.compare(line), ids.compare(other)];
    return a.words.length === 0 || b.words.length === 0 || similarity(a, b) >= MIN_SIMILARITY;
  });
}
