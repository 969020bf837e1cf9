import { asBuffer } from '../http/asBuffer.ts';

/** What has passed of an answer: its beginning, kept without copying, and how long it was. */
export class PassedAnswer {
  readonly #chunks: (Uint8Array | string)[] = [];
  #kept = 0;
  #length = 0;

  /** Of all that passed, in bytes. */
  get length(): number {
    return this.#length;
  }

  /** The part of all that is kept. */
  get keptPart(): number {
    return this.#length === 0 ? 1 : this.#kept / this.#length;
  }

  /** @param most so many bytes are kept in all, about. */
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
