/** So many small pieces are joined. Each takes about a hundred bytes beside its own, even if that is a single one. */
const MAX_SMALL = 1024;
/** Pieces that are longer on average are not small, and joining them would only copy them. */
const SMALL_BYTES = 1024;

/**
 * Collects the pieces of a body without copying the usual ones. A sender who writes each byte separately would
 * otherwise make a body take a hundred times its size.
 */
export class ByteList {
  /** Changed by the methods only. */
  pieces: Buffer[] = [];
  /** In bytes. Changed by the methods only. */
  length = 0;
  /** The pieces before this index are not joined again, and neither are their bytes. */
  #joined = 0;
  #joinedLength = 0;

  add(piece: Buffer): void {
    this.pieces.push(piece);
    this.length += piece.length;
    if (this.pieces.length - this.#joined >= MAX_SMALL) this.#join();
  }

  concat(): Buffer {
    return joined(this.pieces);
  }

  clear(): void {
    this.pieces = [];
    this.length = 0;
    this.#joined = 0;
    this.#joinedLength = 0;
  }

  #join(): void {
    if (this.length - this.#joinedLength < MAX_SMALL * SMALL_BYTES) {
      this.pieces.push(Buffer.concat(this.pieces.splice(this.#joined)));
    }
    this.#joined = this.pieces.length;
    this.#joinedLength = this.length;
  }
}

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

/** Joins pieces. A single one is not copied, and neither are parts of the same memory that follow each other. */
export function joined(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces;
  if (first === undefined || pieces.length === 1) return first ?? Buffer.alloc(0);
  const { buffer, byteOffset } = first;
  let end = byteOffset;
  for (const piece of pieces) {
    if (piece.buffer !== buffer || piece.byteOffset !== end) return Buffer.concat(pieces);
    end += piece.length;
  }
  return Buffer.from(buffer, byteOffset, end - byteOffset);
}
