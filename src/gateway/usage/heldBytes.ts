import { ByteList } from '../http/byteList.ts';

/** Maximum number of bytes held of one event or answer. */
const MAX_HELD = 1024 * 1024;
/** Of longer ones, only the end is held, which contains the usage. */
const HELD_OF_LONGER = 64 * 1024;

/** Collects the pieces of a text without copying them. Drops the beginning of a very long text. */
export class HeldBytes {
  readonly #pieces = new ByteList();
  #isWhole = true;

  /** Number of bytes held. */
  get length(): number {
    return this.#pieces.length;
  }

  /** Whether nothing was dropped. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  add(piece: Buffer): void {
    this.#pieces.add(piece);
    if (this.length > MAX_HELD || (!this.#isWhole && this.length > 2 * HELD_OF_LONGER)) this.#letGo();
  }

  /** Returns the held bytes as one buffer, and removes them. */
  take(): Buffer {
    const bytes = this.#pieces.concat();
    this.#pieces.clear();
    this.#isWhole = true;
    return bytes;
  }

  #letGo(): void {
    const end = this.#pieces.concat().subarray(-HELD_OF_LONGER);
    this.#pieces.clear();
    // Copies the end, so that the memory of the rest can be freed.
    this.#pieces.add(Buffer.from(end));
    this.#isWhole = false;
  }
}
