/**
 * How long a request waits for what running requests of its key have reserved. Longer than most short answers take, and
 * shorter than clients wait before they repeat a request. In milliseconds.
 */
const MAX_WAIT_MS = 5_000;

export interface ReservationQueueOptions {
  readonly maxWaitMs?: number;
  /** How often to try again, if other processes may release something without telling. Default: never. */
  readonly pollMs?: number;
}

/** Requests whose budget would cover them if running requests of the same key use less than they have reserved. */
export class ReservationQueue {
  readonly #waiting = new Map<string, { readonly wakes: (() => void)[]; readonly poll: NodeJS.Timeout | undefined }>();
  readonly #maxWaitMs: number;
  readonly #pollMs: number | undefined;

  constructor({ maxWaitMs = MAX_WAIT_MS, pollMs }: ReservationQueueOptions = {}) {
    this.#maxWaitMs = maxWaitMs;
    this.#pollMs = pollMs;
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

  hasWaiting(keyId: string): boolean {
    return this.#waiting.has(keyId);
  }

  /** Called when a request of the key no longer reserves anything. */
  released(keyId: string): void {
    const waiting = this.#waiting.get(keyId);
    if (waiting === undefined) return;
    this.#waiting.delete(keyId);
    clearTimeout(waiting.poll);
    for (const wake of waiting.wakes) wake();
  }

  #add(keyId: string, wake: () => void): void {
    const waiting = this.#waiting.get(keyId);
    if (waiting !== undefined) {
      waiting.wakes.push(wake);
      return;
    }
    const poll = this.#pollMs === undefined ? undefined : setTimeout(() => this.released(keyId), this.#pollMs).unref();
    this.#waiting.set(keyId, { wakes: [wake], poll });
  }
}
