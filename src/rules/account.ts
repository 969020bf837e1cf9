/**
 * What is spent in one scope: by a key in a period, by a session, or by the requests of a window. Holders reserve what they
 * may still use, so that several cannot spend the same rest. All amounts have the unit of the scope.
 */
export class Account<Holder = string> {
  /** What holders that have ended have used. */
  used: number;
  readonly #reserved = new Map<Holder, number>();

  constructor(used = 0) {
    this.used = used;
  }

  /** What all holders together may still use. */
  get reserved(): number {
    let sum = 0;
    for (const amount of this.#reserved.values()) sum += amount;
    return sum;
  }

  get isReserving(): boolean {
    return this.#reserved.size > 0;
  }

  reservedBy(holder: Holder): number {
    return this.#reserved.get(holder) ?? 0;
  }

  /** Adds to what the holder has reserved. */
  reserve(holder: Holder, amount: number): void {
    this.#reserved.set(holder, this.reservedBy(holder) + amount);
  }

  /** Releases what the holder has reserved, which may be nothing, and adds what it has used. */
  settle(holder: Holder, used = 0): void {
    this.#reserved.delete(holder);
    this.used += used;
  }
}
