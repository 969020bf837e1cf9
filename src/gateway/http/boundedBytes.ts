import { asBuffer } from './asBuffer.ts';

/** What an upstream may say in one piece that is held until it is whole, compressed or not. */
export const MAX_WHOLE_BYTES = 16 * 1024 * 1024;

/** Bytes that are held until all have come, as long as they are no more than the limit. */
export class BoundedBytes {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(maxBytes = MAX_WHOLE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Keeps a copy. @returns false when it is too much: then nothing is held any more. */
  add(piece: Uint8Array | string): boolean {
    this.#length += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length;
    if (this.#length > this.#maxBytes) {
      this.#pieces = [];
      return false;
    }
    this.#pieces.push(Buffer.from(asBuffer(piece)));
    return true;
  }

  /** All of it. */
  concat(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}
