/** A value that is loaded and created once, when it is first requested. */
export class Lazy<T extends object> {
  readonly #make: () => Promise<T>;
  #making: Promise<T> | undefined;
  #value: T | undefined;

  /** @param make Imports and creates the value. It is called again after a failure. */
  constructor(make: () => Promise<T>) {
    this.#make = make;
  }

  /** The value if it has been created. */
  get current(): T | undefined {
    return this.#value;
  }

  async get(): Promise<T> {
    this.#making ??= this.#make();
    const making = this.#making;
    try {
      this.#value = await making;
      return this.#value;
    } catch (error) {
      // Another caller may try again already.
      if (this.#making === making) this.#making = undefined;
      throw error;
    }
  }

  /** Disposes the value if it has been created and is disposable. */
  dispose(): void {
    const value = this.#value;
    if (value !== undefined && 'dispose' in value && typeof value.dispose === 'function') value.dispose();
  }
}
