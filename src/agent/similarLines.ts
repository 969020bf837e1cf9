/** Finds where a text is most like lines that it does not contain. */
import { type ComparedLine, LineIds, similarity } from '../chat/apply/similarity.ts';

/** A half-open range of lines, counted from 0. */
export interface SimilarLines {
  readonly start: number;
  readonly end: number;
}

const MIN_SIMILARITY = 0.6;
/** A smaller share of the wanted lines is a coincidence. */
const MIN_SHARE = 0.3;
/** A line that is in more places says nothing about where the others are. */
const MAX_PLACES = 20;
/** With more pairs of lines, only equal ones count. */
const MAX_COMPARED = 1_000_000;

/** Each wanted line that the text has, or a similar one, speaks for the place at which the wanted ones would begin. */
export function similarLines(text: readonly string[], wanted: readonly string[]): SimilarLines | undefined {
  const ids = new LineIds();
  const [lines, all] = [text, wanted].map((side) => side.map((line) => ids.compare(line)));
  if (lines === undefined || all === undefined) return undefined;
  const equalOnly = ids.size * all.length > MAX_COMPARED;
  const places = Map.groupBy(lines.keys(), (index) => lines[index]?.id ?? -1);
  const scores = new Map<number, number>();
  for (const [offset, line] of all.entries()) {
    if (line.words.length === 0) continue;
    for (const [other, score] of alike(line, lines, places, equalOnly)) {
      const at = places.get(other) ?? [];
      if (at.length > MAX_PLACES) continue;
      for (const index of at) scores.set(index - offset, (scores.get(index - offset) ?? 0) + score);
    }
  }
  const [start, score] = [...scores].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0]);
  const whole = all.reduce((sum, { words, weight }) => sum + (words.length === 0 ? 0 : weight), 0);
  if (whole === 0 || score < whole * MIN_SHARE) return undefined;
  return { start: Math.max(0, start), end: Math.min(text.length, start + wanted.length) };
}

/** The lines that are like this one, by their ids. */
function alike(
  line: ComparedLine,
  lines: readonly ComparedLine[],
  places: ReadonlyMap<number, readonly number[]>,
  equalOnly: boolean,
): readonly (readonly [number, number])[] {
  if (equalOnly) return [[line.id, line.weight]];
  return [...places].flatMap(([id, [first]]) => {
    const other = lines[first ?? -1];
    const score = other === undefined ? 0 : similarity(line, other);
    return score >= MIN_SIMILARITY ? [[id, score * line.weight] as const] : [];
  });
}
