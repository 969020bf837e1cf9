/** Finds a sequence in a text that arrives in pieces, in one pass with the algorithm of Knuth, Morris, and Pratt. */
export class SequenceFinder {
  readonly sequence: string;
  /** For each number of matching characters: how many still match if the next one does not. */
  readonly #fallbacks: Int32Array;
  #fitting = 0;

  /** @param sequence must not be empty. */
  constructor(sequence: string) {
    this.sequence = sequence;
    this.#fallbacks = new Int32Array(sequence.length + 1);
    for (let at = 1; at < sequence.length; at += 1) {
      this.#fallbacks[at + 1] = this.#after(this.#fallbacks[at] ?? 0, sequence.charCodeAt(at));
    }
  }

  /** Number of characters at the end of the text so far that match the beginning of the sequence. */
  get fitting(): number {
    return this.#fitting;
  }

  /** @returns whether the sequence ends with this character. */
  push(code: number): boolean {
    this.#fitting = this.#after(this.#fitting, code);
    return this.#fitting === this.sequence.length;
  }

  /** Must be called before another text. */
  reset(): void {
    this.#fitting = 0;
  }

  #after(fitting: number, code: number): number {
    let length = fitting;
    while (length > 0 && this.sequence.charCodeAt(length) !== code) length = this.#fallbacks[length] ?? 0;
    return this.sequence.charCodeAt(length) === code ? length + 1 : 0;
  }
}
