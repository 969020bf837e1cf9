/** Every stream may decompress to this many bytes. */
const FREE_BYTES = 16 * 1024 * 1024;
/** Maximum ratio beyond that. Texts of models compress to a tenth, and streams of small events to a fiftieth. */
const MAX_RATIO = 200;
const MAX_BYTES = 1024 * 1024 * 1024;

/** Detects decompression bombs: streams that were compressed to fill the memory of the recipient. */
export class DecompressionMeter {
  #in = 0;
  #out = 0;

  add(compressed: Uint8Array): void {
    this.#in += compressed.length;
  }

  /** @returns whether this much output is allowed for the input so far. */
  allows(decompressed: Uint8Array): boolean {
    this.#out += decompressed.length;
    return this.#out <= Math.max(FREE_BYTES, Math.min(MAX_BYTES, this.#in * MAX_RATIO));
  }
}
