import { ByteList } from '../http/byteList.ts';

/** The part of an answer that has passed: its beginning, kept without copying, and its total length. */
export class PassedAnswer {
  readonly #kept = new ByteList();
  #length = 0;

  /** Total number of bytes that have passed. */
  get length(): number {
    return this.#length;
  }

  /** The fraction of the bytes that is kept. */
  get keptPart(): number {
    return this.#length === 0 ? 1 : this.#kept.length / this.#length;
  }

  /** @param most approximate maximum number of bytes to keep in total. */
  add(chunk: Uint8Array | string, most: number): void {
    this.#length += chunk.length;
    if (this.#kept.length < most) this.#kept.add(chunk);
  }

  bytes(): Buffer {
    return this.#kept.concat();
  }
}
