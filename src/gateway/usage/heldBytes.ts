/** More of one event or answer is not held, in bytes. */
const MAX_HELD = 1024 * 1024;
/** Of what is longer its end is held, where the usage stands. */
const HELD_OF_LONGER = 64 * 1024;

/** Pieces of one text as they come, without copying them. Of a very long text the beginning is let go. */
export class HeldBytes {
  #pieces: Buffer[] = [];
  #length = 0;
  #isWhole = true;

  /** Of what is held, in bytes. */
  get length(): number {
    return this.#length;
  }

  /** Whether nothing was let go. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  add(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length > MAX_HELD || (!this.#isWhole && this.#length > 2 * HELD_OF_LONGER)) this.#letGo();
  }

  /** What is held, in one piece; then nothing is held any more. */
  take(): Buffer {
    const [first] = this.#pieces;
    const bytes = this.#pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#length = 0;
    this.#isWhole = true;
    return bytes;
  }

  #letGo(): void {
    const end = Buffer.concat(this.#pieces).subarray(-HELD_OF_LONGER);
    // A copy, so that the rest can be freed.
    this.#pieces = [Buffer.from(end)];
    this.#length = end.length;
    this.#isWhole = false;
  }
}
