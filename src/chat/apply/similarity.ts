/** Measures how similar two lines of code are, ignoring their indentation. */

/** A longer word counts as several: a pattern without a limit exceeds the stack at some million characters. */
const WORDS = /[\p{L}\p{N}_$]{1,1000}/gu;

/** The number of characters from which a line's length no longer adds to its weight. */
const LONG_LINE = 40;

/** A line prepared for the comparison: its ID, its weight, and its sorted words. */
export interface ComparedLine {
  readonly id: number;
  /** How distinctive the line is: a bracket occurs everywhere, a long line does not. */
  readonly weight: number;
  readonly words: readonly string[];
}

/** Lines that are equal except for their indentation have the same ID. */
export class LineIds {
  readonly #ids = new Map<string, number>();

  compare(line: string): ComparedLine {
    const text = line.trim();
    const id = this.#ids.get(text) ?? this.#ids.size;
    this.#ids.set(text, id);
    const words = text.match(WORDS) ?? [];
    return { id, weight: weightOf(text, words), words: words.sort() };
  }

  get size(): number {
    return this.#ids.size;
  }
}

function weightOf(text: string, words: readonly string[]): number {
  if (text === '') return 0.1;
  if (words.length === 0) return 0.2;
  return 1 + Math.min(text.length, LONG_LINE) / LONG_LINE;
}

/** Returns the share of words that both lines have, from 0 (none) to 1 (equal lines). */
export function similarity(a: ComparedLine, b: ComparedLine): number {
  if (a.id === b.id) return 1;
  const longest = a.words.length + b.words.length;
  if (longest === 0) return 0;
  const common = commonWords(a.words, b.words);
  // Different lines never get 1, even if they differ only in punctuation.
  return Math.min(0.95, (2 * common) / longest);
}

/** Counts common words. Both lists must be sorted. */
function commonWords(a: readonly string[], b: readonly string[]): number {
  let [common, i, j] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    const [left, right] = [a[i] ?? '', b[j] ?? ''];
    if (left === right) common += 1;
    if (left <= right) i += 1;
    if (right <= left) j += 1;
  }
  return common;
}
