import type { Urgency } from './occasion.ts';

/** The shortest wait for each urgency, in milliseconds. */
const MIN_WAIT: Readonly<Record<Urgency, number>> = { now: 60, soon: 150, later: 300 };
/** The share of the pauses within a burst of keys that the wait is at least as long as. */
const SHARE: Readonly<Record<Urgency, number>> = { now: 0.9, soon: 0.96, later: 0.98 };
/** A longer pause is not part of a burst of keys. In milliseconds. */
const MAX_PAUSE_IN_BURST = 800;
const MAX_PAUSES = 60;
/** Until enough keys are known: a person who types 40 words a minute. */
const DEFAULT_PAUSE = 240;
const MIN_PAUSES = 12;
/** No request is sent sooner after the previous one, in milliseconds: at most 24 a minute, whatever a person does. */
const MIN_INTERVAL = 2_500;

/**
 * How a person types: a request is sent once they have paused for longer than they do between two keys, because an
 * earlier one would be canceled by the next key, and still cost money.
 */
export class Rhythm {
  readonly #pauses: number[] = [];
  #lastKey: number | undefined;
  #lastRequest = Number.NEGATIVE_INFINITY;

  /** @param now in milliseconds. */
  key(now: number): void {
    const pause = this.#lastKey === undefined ? undefined : now - this.#lastKey;
    this.#lastKey = now;
    if (pause === undefined || pause > MAX_PAUSE_IN_BURST) return;
    this.#pauses.push(pause);
    if (this.#pauses.length > MAX_PAUSES) this.#pauses.shift();
  }

  request(now: number): void {
    this.#lastRequest = now;
  }

  /** The time from the last key until a request is worth its price, in milliseconds. */
  waitFor(urgency: Urgency, now: number): number {
    const usual = Math.max(MIN_WAIT[urgency], this.#pauseOf(SHARE[urgency]));
    return Math.max(usual, this.#lastRequest + MIN_INTERVAL - now);
  }

  /** The pause that this share of the pauses between two keys is shorter than. */
  #pauseOf(share: number): number {
    if (this.#pauses.length < MIN_PAUSES) return DEFAULT_PAUSE;
    const sorted = this.#pauses.toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? DEFAULT_PAUSE;
  }
}
