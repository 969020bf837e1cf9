/** Characters of JSON with English text and code, most frequent first. All others are rarer. */
const BY_FREQUENCY = ' e"taoinsrlcdu,hp:mg_\\.-f/0b1yvwk';

/** Maximum length for which the native search stops only at occurrences of the first character. */
const MAX_NEEDLE = 7;
/** Fewer characters are found too often. */
const MIN_NEEDLE = 4;

/**
 * Finds a word in the bytes of JSON. The native search stops at each byte that the word begins with, so it searches for
 * the part of the word that begins with the rarest character. This takes a fifth of the time of searching for the whole
 * word.
 */
export class WordSearch {
  readonly #word: Buffer;
  readonly #needle: Buffer;
  /** The position of the needle in the word. */
  readonly #offset: number;

  constructor(word: string) {
    this.#word = Buffer.from(word);
    this.#offset = rarestIn(this.#word);
    this.#needle = this.#word.subarray(this.#offset, this.#offset + MAX_NEEDLE);
  }

  /**
   * Whether the word occurs at a position that `accepts` returns true for. `start` is inclusive and `end` exclusive.
   */
  isIn(bytes: Buffer, accepts: (start: number, end: number) => boolean): boolean {
    const [needle, offset, { length }] = [this.#needle, this.#offset, this.#word];
    for (let at = bytes.indexOf(needle, offset); at !== -1; at = bytes.indexOf(needle, at + 1)) {
      const start = at - offset;
      const end = start + length;
      if (end <= bytes.length && this.#word.compare(bytes, start, end) === 0 && accepts(start, end)) return true;
    }
    return false;
  }
}

function rarestIn(word: Buffer): number {
  let [rarest, rank] = [0, -1];
  for (let at = 0; at <= Math.max(0, word.length - MIN_NEEDLE); at++) {
    const found = BY_FREQUENCY.indexOf(String.fromCharCode(word[at] ?? 0));
    const its = found === -1 ? BY_FREQUENCY.length : found;
    if (its > rank) [rarest, rank] = [at, its];
  }
  return rarest;
}
