const LENGTH_BYTES = 4;

/**
 * Cuts what comes over a connection into frames: the length of what follows in four bytes, and so many bytes. Pieces of a
 * frame are kept as they came until the last one is there, so that a long frame in small pieces is copied once.
 */
export class FrameReader {
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** Of the whole frame that comes next, once that is known. */
  #wanted: number | undefined;

  /** A longer frame is nonsense. */
  maxFrameBytes: number;

  constructor(maxFrameBytes: number) {
    this.maxFrameBytes = maxFrameBytes;
  }

  add(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece);
    this.#bytes += piece.length;
  }

  /** The next whole frame without its length; `undefined` when it is not there yet, `tooLong` when it never will be. */
  take(): Buffer | 'tooLong' | undefined {
    if (this.#wanted === undefined) {
      if (this.#bytes < LENGTH_BYTES) return undefined;
      this.#wanted = this.#cut(LENGTH_BYTES).readUInt32BE();
    }
    if (this.#wanted > this.maxFrameBytes) return 'tooLong';
    if (this.#bytes < this.#wanted) return undefined;
    const frame = this.#cut(this.#wanted);
    this.#wanted = undefined;
    return frame;
  }

  /** Nothing of what has come is kept. */
  clear(): void {
    this.#pieces = [];
    this.#bytes = 0;
    this.#wanted = undefined;
  }

  #cut(length: number): Buffer {
    const [first] = this.#pieces;
    const whole = this.#pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.#pieces, this.#bytes);
    const rest = whole.subarray(length);
    this.#pieces = rest.length === 0 ? [] : [rest];
    this.#bytes = rest.length;
    return whole.subarray(0, length);
  }
}

/** The frame for so many bytes. */
export function framed(bytes: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
