/** How alike two lines of code are, whatever their indentation. */

const WORDS = /[\p{L}\p{N}_$]+/gu;

/** Most that the length of a line adds to its weight, and from how many characters on. */
const LONG_LINE = 40;

/** A line as it is compared: which one it is of all that are, what it weighs, and its words in order. */
export interface ComparedLine {
  readonly id: number;
  /** How much it says that the line is there: a bracket stands everywhere, a long line does not. */
  readonly weight: number;
  readonly words: readonly string[];
}

/** Lines that are equal without their indentation have the same id. */
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

/** From 0 for nothing in common to 1 for the same: the share of words that both have. */
export function similarity(a: ComparedLine, b: ComparedLine): number {
  if (a.id === b.id) return 1;
  const longest = a.words.length + b.words.length;
  if (longest === 0) return 0;
  const common = commonWords(a.words, b.words);
  // Never taken for the same line, also where only signs differ.
  return Math.min(0.95, (2 * common) / longest);
}

/** Both in order. */
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
