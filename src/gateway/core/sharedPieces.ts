/** What one step of a conversation has added to memory. */
export interface Piece {
  /** In bytes, about. */
  readonly size: number;
  /** How many conversations have it. */
  holders: number;
}

export function newPiece(size: number): Piece {
  return { size, holders: 0 };
}

/** How much conversations take in memory that have their beginnings in common: each piece counts as long as anybody has it. */
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
