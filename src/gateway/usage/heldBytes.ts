/** Maximum number of bytes held of one event or answer. */
const MAX_HELD = 1024 * 1024;
/** Of longer ones, only the end is held, which contains the usage. */
const HELD_OF_LONGER = 64 * 1024;

/** Collects the pieces of a text without copying them. Drops the beginning of a very long text. */
export class HeldBytes {
  #pieces: Buffer[] = [];
  #length = 0;
  #isWhole = true;

  /** Number of bytes held. */
  get length(): number {
    return this.#length;
  }

  /** Whether nothing was dropped. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  add(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length > MAX_HELD || (!this.#isWhole && this.#length > 2 * HELD_OF_LONGER)) this.#letGo();
  }

  /** Returns the held bytes as one buffer, and removes them. */
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
    // Copies the end, so that the memory of the rest can be freed.
    this.#pieces = [Buffer.from(end)];
    this.#length = end.length;
    this.#isWhole = false;
  }
}
