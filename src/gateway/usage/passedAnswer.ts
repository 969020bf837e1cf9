import { asBuffer } from '../http/asBuffer.ts';

/** The part of an answer that has passed: its beginning, kept without copying, and its total length. */
export class PassedAnswer {
  readonly #chunks: (Uint8Array | string)[] = [];
  #kept = 0;
  #length = 0;

  /** Total number of bytes that have passed. */
  get length(): number {
    return this.#length;
  }

  /** The fraction of the bytes that is kept. */
  get keptPart(): number {
    return this.#length === 0 ? 1 : this.#kept / this.#length;
  }

  /** @param most approximate maximum number of bytes to keep in total. */
  add(chunk: Uint8Array | string, most: number): void {
    this.#length += chunk.length;
    if (this.#kept >= most) return;
    this.#chunks.push(chunk);
    this.#kept += chunk.length;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks.map(asBuffer));
  }
}
