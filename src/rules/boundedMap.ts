/** A map that forgets the entry that was set longest ago when it has too many. Its order is that of their last `set`. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    for (const oldest of this.keys()) {
      if (this.size <= this.#max) break;
      this.delete(oldest);
    }
    return this;
  }
}
