/** Finds a sequence in a text that comes in pieces, in one pass (Knuth, Morris and Pratt), however the two repeat themselves. */
export class SequenceFinder {
  readonly sequence: string;
  /** By the number of characters that fit: how many still do when the next one does not. */
  readonly #fallbacks: Int32Array;
  #fitting = 0;

  /** @param sequence not empty. */
  constructor(sequence: string) {
    this.sequence = sequence;
    this.#fallbacks = new Int32Array(sequence.length + 1);
    for (let at = 1; at < sequence.length; at += 1) {
      this.#fallbacks[at + 1] = this.#after(this.#fallbacks[at] ?? 0, sequence.charCodeAt(at));
    }
  }

  /** How many characters at the end of the text so far are the beginning of the sequence. */
  get fitting(): number {
    return this.#fitting;
  }

  /** @returns whether the sequence ends with this character. */
  push(code: number): boolean {
    this.#fitting = this.#after(this.#fitting, code);
    return this.#fitting === this.sequence.length;
  }

  /** Another text begins. */
  reset(): void {
    this.#fitting = 0;
  }

  #after(fitting: number, code: number): number {
    let length = fitting;
    while (length > 0 && this.sequence.charCodeAt(length) !== code) length = this.#fallbacks[length] ?? 0;
    return this.sequence.charCodeAt(length) === code ? length + 1 : 0;
  }
}
