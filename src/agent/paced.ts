/** The time between two calls, in milliseconds. */
const TIMES_MS = 100;

/** Calls a function at most ten times a second. */
export class Paced {
  readonly #call: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(call: () => void) {
    this.#call = call;
  }

  call(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#call();
    }, TIMES_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
