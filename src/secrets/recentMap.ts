/** A map that forgets entries that were not used for a long time. It holds at most `max` of them. */
export class RecentMap<Value> {
  readonly #maxOfHalf: number;
  #recent = new Map<string, Value>();
  /** Entries that were not used since the other half was empty. */
  #older = new Map<string, Value>();

  constructor(max: number) {
    this.#maxOfHalf = Math.ceil(max / 2);
  }

  get(key: string): Value | undefined {
    const value = this.#recent.get(key);
    if (value !== undefined) return value;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: string, value: Value): void {
    this.#recent.set(key, value);
    if (this.#recent.size < this.#maxOfHalf) return;
    this.#older = this.#recent;
    this.#recent = new Map();
  }
}
