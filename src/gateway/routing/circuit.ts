/** After this many failures in a row an upstream is taken for dead. */
const FAILURES_TO_OPEN = 3;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 15_000;

/**
 * Opens when an upstream is dead, so that requests go to the others without trying it first; then asks it again and
 * again, with growing pauses, until it answers.
 */
export class Circuit {
  readonly #probe: () => Promise<boolean>;
  #failures = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #timer: NodeJS.Timeout | undefined;

  /** @param probe whether the upstream answers. */
  constructor(probe: () => Promise<boolean>) {
    this.#probe = probe;
  }

  get isOpen(): boolean {
    return this.#timer !== undefined;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#close();
  }

  failed(): void {
    this.#failures += 1;
    if (this.#failures >= FAILURES_TO_OPEN && !this.isOpen) this.#wait();
  }

  /** Nobody will ask any more. */
  dispose(): void {
    this.#close();
  }

  #wait(): void {
    this.#timer = setTimeout(this.#ask, this.#pauseMs).unref();
    this.#pauseMs = Math.min(this.#pauseMs * 2, MAX_PAUSE_MS);
  }

  readonly #ask = async (): Promise<void> => {
    const asked = this.#timer;
    const isAlive = await this.#probe();
    if (this.#timer !== asked) return;
    if (isAlive) this.#close();
    else this.#wait();
  };

  /** The next failure opens it again: a probe is a smaller question than a request. */
  #close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
