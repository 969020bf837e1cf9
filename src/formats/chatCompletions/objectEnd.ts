/** Follows the JSON of a call's arguments, which arrives in pieces, to find where one object ends and another begins. */
export class ObjectEnd {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isWhole = false;

  /**
   * Reads a piece.
   * @returns the position at which another object begins. Undefined if none does: the piece was read to its end.
   */
  read(piece: string): number | undefined {
    for (let at = 0; at < piece.length; at += 1) {
      const character = piece[at];
      if (this.#isWhole && character === '{') return at;
      this.#step(character);
    }
    return undefined;
  }

  #step(character: string | undefined): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isInString) {
      this.#isEscaped = character === '\\';
      this.#isInString = character !== '"';
    } else if (character === '"') this.#isInString = true;
    else if (character === '{') this.#depth += 1;
    else if (character === '}') {
      this.#depth -= 1;
      this.#isWhole = this.#depth === 0;
    }
  }
}
