import type { Clock } from './clock.ts';

/**
 * The end of one call, from whichever side it comes: the user's signal, a time limit, or the reader who has enough.
 * Ending closes the connection when the answer is still under way and is harmless when it is over.
 */
export class CallControl {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  /** Whether it was ended from outside rather than closed by its reader. */
  #ended = false;

  constructor(clock: Clock, userSignal: AbortSignal | undefined) {
    this.#clock = clock;
    if (userSignal?.aborted) this.#end(userSignal.reason);
    userSignal?.addEventListener('abort', () => this.#end(userSignal.reason), { signal: this.signal });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Waits for the work, which must heed the signal. When it takes longer than `ms`, the call ends with the error.
   * @throws why the call was ended, when it was, rather than how the work noticed.
   */
  async within<T>(ms: number, tooLate: () => Error, work: Promise<T>): Promise<T> {
    const cancelTimer = this.#clock.after(ms, () => this.#end(tooLate()));
    try {
      return await work;
    } catch (error) {
      if (this.#ended) throw this.signal.reason;
      throw error;
    } finally {
      cancelTimer();
    }
  }

  close(): void {
    this.#controller.abort();
  }

  #end(reason: unknown): void {
    if (this.signal.aborted) return;
    this.#ended = true;
    this.#controller.abort(reason);
  }
}
