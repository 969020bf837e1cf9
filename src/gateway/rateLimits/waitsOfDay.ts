import type { QueueState } from '../core/keyLimits.ts';

/** The longest wait and the refusals of a key since midnight in the machine's time zone. */
export class WaitsOfDay {
  #midnight = 0;
  #longestWaitMs = 0;
  #refused = 0;

  /** @param now milliseconds since the epoch. */
  waited(ms: number, now: number): void {
    this.#turnTo(now);
    this.#longestWaitMs = Math.max(this.#longestWaitMs, ms);
  }

  refused(now: number): void {
    this.#turnTo(now);
    this.#refused += 1;
  }

  at(now: number): Pick<QueueState, 'longestWaitMs' | 'refused'> {
    this.#turnTo(now);
    return { longestWaitMs: this.#longestWaitMs, refused: this.#refused };
  }

  #turnTo(now: number): void {
    const midnight = new Date(now).setHours(0, 0, 0, 0);
    if (midnight === this.#midnight) return;
    this.#midnight = midnight;
    this.#longestWaitMs = 0;
    this.#refused = 0;
  }
}
