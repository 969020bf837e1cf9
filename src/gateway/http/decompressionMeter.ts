/** So much comes out of anything. */
const FREE_BYTES = 16 * 1024 * 1024;
/** Beyond that, texts of models shrink to a tenth, and streams of small events to a fiftieth. */
const MAX_RATIO = 200;
const MAX_BYTES = 1024 * 1024 * 1024;

/** Tells a stream that was compressed in earnest from one that is made to fill the memory of whoever opens it. */
export class DecompressionMeter {
  #in = 0;
  #out = 0;

  add(compressed: Uint8Array): void {
    this.#in += compressed.length;
  }

  /** @returns whether so much may come out of what has gone in. */
  allows(decompressed: Uint8Array): boolean {
    this.#out += decompressed.length;
    return this.#out <= Math.max(FREE_BYTES, Math.min(MAX_BYTES, this.#in * MAX_RATIO));
  }
}
