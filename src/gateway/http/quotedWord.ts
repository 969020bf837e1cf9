const QUOTE = 0x22;

/**
 * A word in quotes, to be found in bytes of JSON. Nearly every member begins with a quote, and the machine's own search
 * halts at each: without the first quote it takes a sixth of the time.
 */
export class QuotedWord {
  readonly #ending: Buffer;

  constructor(word: string) {
    this.#ending = Buffer.from(`${word}"`);
  }

  /** With its quotes, in bytes. */
  get length(): number {
    return this.#ending.length + 1;
  }

  /** The position of its first quote, at or after `from`; -1 when it is not there. */
  indexIn(bytes: Buffer, from = 0): number {
    const { length } = this.#ending;
    for (let at = bytes.indexOf(this.#ending, from + 1); at !== -1; at = bytes.indexOf(this.#ending, at + length)) {
      if (bytes[at - 1] === QUOTE) return at - 1;
    }
    return -1;
  }

  /** The position of the first quote of the last one that ends at or before `end`; -1 when there is none. */
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
