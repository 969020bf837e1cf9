/** Maximum size of a recorded body. Further bytes are counted, but not kept. */
const MAX_BYTES = 2 * 1024 * 1024;

export interface Piece {
  readonly atMs: number;
  readonly bytes: Buffer;
}

/** Records the beginning of a body while it passes. Keeps nothing after a gap. */
export class RecordedBody {
  readonly #pieces: Piece[] = [];
  readonly #mayKeep: (bytes: number) => boolean;
  #bytes = 0;
  #keptBytes = 0;
  /** Value of the header `content-encoding`. */
  encoding = '';

  /** @param mayKeep called before a piece is kept in memory. */
  constructor(mayKeep: (bytes: number) => boolean) {
    this.#mayKeep = mayKeep;
  }

  get pieces(): readonly Piece[] {
    return this.#pieces;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get keptBytes(): number {
    return this.#keptBytes;
  }

  add(chunk: Uint8Array | string, atMs: number): void {
    // Copies the bytes, because a chunk can be a view of a larger buffer, which would stay in memory as well.
    const bytes = Buffer.from(typeof chunk === 'string' ? chunk : chunk.subarray(0, MAX_BYTES));
    const isGapless = this.#keptBytes === this.#bytes;
    this.#bytes += typeof chunk === 'string' ? bytes.length : chunk.length;
    const kept = bytes.subarray(0, MAX_BYTES - this.#keptBytes);
    if (!isGapless || kept.length === 0 || !this.#mayKeep(kept.length)) return;
    this.#keptBytes += kept.length;
    this.#pieces.push({ atMs, bytes: kept });
  }
}
