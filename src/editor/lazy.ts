/** Something that is loaded and made when it is first asked for, and once only. */
export class Lazy<T extends object> {
  readonly #make: () => Promise<T>;
  #making: Promise<T> | undefined;
  #value: T | undefined;

  /** @param make imports what it takes; after a failure it is called again. */
  constructor(make: () => Promise<T>) {
    this.#make = make;
  }

  /** What was made already, if anything. */
  get current(): T | undefined {
    return this.#value;
  }

  async get(): Promise<T> {
    this.#making ??= this.#make();
    try {
      this.#value = await this.#making;
      return this.#value;
    } catch (error) {
      this.#making = undefined;
      throw error;
    }
  }

  /** Disposes what was made, where it can be. */
  dispose(): void {
    const value = this.#value;
    if (value !== undefined && 'dispose' in value && typeof value.dispose === 'function') value.dispose();
  }
}
