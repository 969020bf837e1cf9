/** A call for which there can be several reasons, one after the other. It is made once for all of them. */
export class DelayedCall {
  readonly #call: () => void;
  readonly #delayMs: number;
  #timer: NodeJS.Timeout | undefined;
  #isDisposed = false;

  constructor(call: () => void, delayMs: number) {
    this.#call = call;
    this.#delayMs = delayMs;
  }

  /** Makes the call after the delay. Reasons that come until then change nothing. */
  soon(): void {
    this.#timer ??= this.#start();
  }

  /** Makes the call when the delay has passed without a further reason. */
  afterPause(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#start();
  }

  /** Forgets the reasons so far, because the call was made otherwise or is no longer needed. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Neither the call that is due nor a later one is made. */
  dispose(): void {
    this.cancel();
    this.#isDisposed = true;
  }

  #start(): NodeJS.Timeout | undefined {
    if (this.#isDisposed) return undefined;
    return setTimeout(() => {
      this.#timer = undefined;
      this.#call();
    }, this.#delayMs);
  }
}
