/**
 * Counts the work of parsing in units instead of time, so that the same text has the same result on every machine. A
 * unit is about one character read, which takes ten nanoseconds or less.
 */
export class WorkMeter {
  readonly #limit: number;
  readonly #runLimit: number;
  #spent = 0;
  #endOfRun = 0;

  /**
   * @param limit units for a whole text.
   * @param runLimit units for a paragraph, an item, or a cell.
   */
  constructor(limit = 5_000_000, runLimit = 1_000_000) {
    this.#limit = limit;
    this.#runLimit = runLimit;
  }

  get spent(): number {
    return this.#spent;
  }

  /** @returns false if not enough units are left, so that the work must not be done. */
  spend(units: number): boolean {
    return this.#spendUpTo(this.#limit, units);
  }

  /** Starts a paragraph or similar. Units that it does not use remain for others. */
  beginRun(): void {
    this.#endOfRun = Math.min(this.#limit, this.#spent + this.#runLimit);
  }

  /** Like {@link spend} within a paragraph or similar. */
  spendInRun(units: number): boolean {
    return this.#spendUpTo(this.#endOfRun, units);
  }

  #spendUpTo(limit: number, units: number): boolean {
    if (this.#spent + units > limit) return false;
    this.#spent += units;
    return true;
  }
}
