import { ByteList } from '../http/byteList.ts';

/** The most bytes that all running answers keep together. Beyond that, only the beginning of each is kept. */
const MAX_KEPT_OF_ALL = 128 * 1024 * 1024;
const BEGINNING_BYTES = 16 * 1024;

let keptOfAll = 0;

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
    const hasRoom = keptOfAll < MAX_KEPT_OF_ALL || this.#kept.length < BEGINNING_BYTES;
    if (!hasRoom || this.#kept.length >= most) return;
    this.#kept.add(chunk);
    keptOfAll += chunk.length;
  }

  bytes(): Buffer {
    return this.#kept.concat();
  }

  /** Must be called when the answer is no longer needed. */
  release(): void {
    keptOfAll -= this.#kept.length;
    this.#kept.clear();
  }
}
