const QUOTE = 0x22;

/**
 * Finds a word in quotes in the bytes of JSON. Searches for the word without its opening quote, which takes a sixth of
 * the time, because the native search would stop at the first quote of nearly every member.
 */
export class QuotedWord {
  readonly #ending: Buffer;

  constructor(word: string) {
    this.#ending = Buffer.from(`${word}"`);
  }

  /** Number of bytes, including the quotes. */
  get length(): number {
    return this.#ending.length + 1;
  }

  /** Returns the position of its opening quote at or after `from`, or -1. */
  indexIn(bytes: Buffer, from = 0): number {
    const { length } = this.#ending;
    for (let at = bytes.indexOf(this.#ending, from + 1); at !== -1; at = bytes.indexOf(this.#ending, at + length)) {
      if (bytes[at - 1] === QUOTE) return at - 1;
    }
    return -1;
  }

  /** Returns the position of the opening quote of its last occurrence that ends at or before `end`, or -1. */
  lastIndexIn(bytes: Buffer, end = bytes.length): number {
    const { length } = this.#ending;
    for (let at = end - length; at > 0; at -= 1) {
      at = bytes.lastIndexOf(this.#ending, at);
      if (at === -1) return -1;
      if (bytes[at - 1] === QUOTE) return at - 1;
    }
    return -1;
  }
}
