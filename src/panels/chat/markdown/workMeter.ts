/**
 * Counts the work of parsing, so that the same text has the same outcome on every machine. A unit is about one character
 * that is read, which takes ten nanoseconds or less.
 */
export class WorkMeter {
  readonly #limit: number;
  readonly #runLimit: number;
  #spent = 0;
  #endOfRun = 0;

  /** @param limit units for a whole text. @param runLimit units for a paragraph, an item or a cell of it. */
  constructor(limit = 5_000_000, runLimit = 1_000_000) {
    this.#limit = limit;
    this.#runLimit = runLimit;
  }

  get spent(): number {
    return this.#spent;
  }

  /** @returns false when there are not so many units left: then the work is not to be done. */
  spend(units: number): boolean {
    return this.#spendUpTo(this.#limit, units);
  }

  /** A paragraph or the like begins. What it does not spend is left for the others. */
  beginRun(): void {
    this.#endOfRun = Math.min(this.#limit, this.#spent + this.#runLimit);
  }

  /** The same as {@link spend} within a paragraph or the like. */
  spendInRun(units: number): boolean {
    return this.#spendUpTo(this.#endOfRun, units);
  }

  #spendUpTo(limit: number, units: number): boolean {
    if (this.#spent + units > limit) return false;
    this.#spent += units;
    return true;
  }
}
