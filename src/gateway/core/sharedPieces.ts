/** The memory that one step of a conversation has added. */
export interface Piece {
  /** Approximate size in bytes. */
  readonly size: number;
  /** Number of conversations that contain it. */
  holders: number;
}

export function newPiece(size: number): Piece {
  return { size, holders: 0 };
}

/**
 * Measures the memory of conversations that share their beginnings. Each piece counts once while a conversation
 * contains it.
 */
export class SharedPieces {
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  hold(pieces: readonly Piece[]): void {
    for (const piece of pieces) {
      if (piece.holders === 0) this.#bytes += piece.size;
      piece.holders += 1;
    }
  }

  release(pieces: readonly Piece[]): void {
    for (const piece of pieces) {
      piece.holders -= 1;
      if (piece.holders === 0) this.#bytes -= piece.size;
    }
  }
}
