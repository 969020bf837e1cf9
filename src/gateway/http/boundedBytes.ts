import { ByteList } from './byteList.ts';

/** Maximum size of an upstream's answer that is held until it is complete, compressed or not. */
export const MAX_WHOLE_BYTES = 16 * 1024 * 1024;

/** Holds bytes until all have arrived, if they do not exceed the limit. */
export class BoundedBytes {
  readonly #maxBytes: number;
  readonly #pieces = new ByteList();
  #length = 0;

  constructor(maxBytes = MAX_WHOLE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** @returns false if the limit is exceeded. All bytes are dropped then. */
  add(piece: Buffer): boolean {
    this.#length += piece.length;
    if (this.#length > this.#maxBytes) {
      this.#pieces.clear();
      return false;
    }
    this.#pieces.add(piece);
    return true;
  }

  concat(): Buffer {
    return this.#pieces.concat();
  }
}
