/** Of one body; the rest is counted and not kept. */
const MAX_BYTES = 2 * 1024 * 1024;

export interface Piece {
  readonly atMs: number;
  readonly bytes: Buffer;
}

/** The beginning of a body as it passes: nothing behind a gap is kept. */
export class RecordedBody {
  readonly #pieces: Piece[] = [];
  readonly #mayKeep: (bytes: number) => boolean;
  #bytes = 0;
  #keptBytes = 0;
  /** As the header `content-encoding` names it. */
  encoding = '';

  /** @param mayKeep asked for each piece that is to stay in memory. */
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
    // A copy: what passes may be a window on a larger buffer, which would be held as well.
    const bytes = Buffer.from(typeof chunk === 'string' ? chunk : chunk.subarray(0, MAX_BYTES));
    const isGapless = this.#keptBytes === this.#bytes;
    this.#bytes += typeof chunk === 'string' ? bytes.length : chunk.length;
    const kept = bytes.subarray(0, MAX_BYTES - this.#keptBytes);
    if (!isGapless || kept.length === 0 || !this.#mayKeep(kept.length)) return;
    this.#keptBytes += kept.length;
    this.#pieces.push({ atMs, bytes: kept });
  }
}
