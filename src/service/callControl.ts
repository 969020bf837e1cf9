import type { Clock } from './clock.ts';

/**
 * Ends one request for any reason: the user's signal, a time limit, or a reader that needs no more data. Closes the
 * connection if the answer is in progress, and does nothing if the answer has ended.
 */
export class CallControl {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  /** Whether the request was ended from outside, not by its reader. */
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
   * Waits for work that observes the signal. If it takes longer than `ms`, ends the request with the error.
   * @throws the reason why the request was ended, instead of the error that follows from it.
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
