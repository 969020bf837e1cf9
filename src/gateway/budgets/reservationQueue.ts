/**
 * How long a request waits for what running requests of its key have reserved. Longer than most short answers take, and
 * shorter than clients wait before they repeat a request. In milliseconds.
 */
const MAX_WAIT_MS = 5_000;

/** Requests whose budget would cover them if running requests of the same key use less than they have reserved. */
export class ReservationQueue {
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #maxWaitMs: number;

  constructor(maxWaitMs = MAX_WAIT_MS) {
    this.#maxWaitMs = maxWaitMs;
  }

  /**
   * Calls `reserve` each time a request of the key has ended, until it succeeds or cannot succeed any more, or the time is
   * over. The first request that waits is the first to try.
   * @param refused the result so far.
   */
  async retry<Refused>(
    keyId: string,
    refused: Refused,
    reserve: () => Promise<{ readonly refused: Refused; readonly mayWait: boolean } | undefined>,
  ): Promise<Refused | undefined> {
    let last = refused;
    let isOver = false;
    let wake: () => void = () => undefined;
    const timer = setTimeout(() => {
      isOver = true;
      wake();
    }, this.#maxWaitMs);
    try {
      for (;;) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          this.#add(keyId, resolve);
        });
        if (isOver) return last;
        const result = await reserve();
        if (result === undefined) return undefined;
        last = result.refused;
        if (!result.mayWait) return last;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whether a request of the key waits. */
  hasWaiting(keyId: string): boolean {
    return this.#waiting.has(keyId);
  }

  /** Called when a request of the key no longer reserves anything. */
  released(keyId: string): void {
    const waiting = this.#waiting.get(keyId);
    if (waiting === undefined) return;
    this.#waiting.delete(keyId);
    for (const wake of waiting) wake();
  }

  #add(keyId: string, wake: () => void): void {
    const waiting = this.#waiting.get(keyId);
    if (waiting === undefined) this.#waiting.set(keyId, [wake]);
    else waiting.push(wake);
  }
}
