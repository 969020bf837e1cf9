const LENGTH_BYTES = 4;

/**
 * Splits the bytes of a connection into frames: four bytes with the length, then the content. The pieces of a frame are
 * collected until it is complete, so that a long frame in small pieces is copied only once.
 */
export class FrameReader {
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** Length of the next frame, if it is known. */
  #wanted: number | undefined;

  /** A longer frame is invalid. */
  maxFrameBytes: number;

  constructor(maxFrameBytes: number) {
    this.maxFrameBytes = maxFrameBytes;
  }

  add(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece);
    this.#bytes += piece.length;
  }

  /**
   * Returns the next frame without its length, `undefined` if it is not complete, or `tooLong` if its length is
   * invalid.
   */
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

  /** Discards everything that was received. */
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

export function framed(bytes: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
