import type { Refusal } from './refusal.ts';

/** Requests that hold less are not counted: the number of running requests limits them together. */
const UNCOUNTED_BYTES = 64 * 1024;

/** Memory for each byte of a body or an answer that is held whole: beside its bytes, its text and its values. */
const FACTOR = 3;

const DEFAULT_HELD_MB = 512;

const TOO_MUCH_HELD: Refusal = {
  error: {
    kind: 'overloaded',
    status: 503,
    message: 'Requests in progress use all the memory that the gateway allows for them. Retry in a moment.',
  },
  headers: { 'retry-after': '2' },
};

/** Counts the memory that bodies and answers of all running requests take. One key can have half of it at most. */
export class HeldMemory {
  readonly #maxBytes: number;
  readonly #ofKeys = new Map<string, number>();
  #bytes = 0;

  constructor(megabytes = DEFAULT_HELD_MB) {
    this.#maxBytes = megabytes * 1024 * 1024;
  }

  /** @returns false if there is no room. */
  take(keyId: string, bytes: number): boolean {
    const ofKey = (this.#ofKeys.get(keyId) ?? 0) + bytes;
    if (this.#bytes + bytes > this.#maxBytes || ofKey > this.#maxBytes / 2) return false;
    this.#bytes += bytes;
    this.#ofKeys.set(keyId, ofKey);
    return true;
  }

  free(keyId: string, bytes: number): void {
    this.#bytes -= bytes;
    const rest = (this.#ofKeys.get(keyId) ?? 0) - bytes;
    if (rest > 0) this.#ofKeys.set(keyId, rest);
    else this.#ofKeys.delete(keyId);
  }
}

/** The memory that one request takes until its end. */
export class RequestMemory {
  readonly #held: HeldMemory;
  readonly #keyId: string;
  readonly #onExceeded: (refusal: Refusal) => void;
  #body = 0;
  #answer = 0;
  #taken = 0;
  /** Up to this length, nothing more has to be taken. */
  #covered = UNCOUNTED_BYTES;
  #isOver = false;

  /** @param onExceeded called once if there is no room. It ends the request. */
  constructor(held: HeldMemory, keyId: string, onExceeded: (refusal: Refusal) => void) {
    this.#held = held;
    this.#keyId = keyId;
    this.#onExceeded = onExceeded;
  }

  /**
   * Takes room for a body of this length, instead of that for an earlier length.
   * @returns false if there is none, and the request was ended.
   */
  body(bytes: number): boolean {
    if (bytes <= this.#body) return !this.#isOver;
    this.#body = bytes;
    return this.#body + this.#answer < this.#covered ? !this.#isOver : this.#cover();
  }

  /** Takes room for further bytes of the answer. Otherwise like {@link body}. */
  answer(bytes: number): boolean {
    this.#answer += bytes;
    return this.#body + this.#answer < this.#covered ? !this.#isOver : this.#cover();
  }

  /** Frees all of it. Later calls take nothing. */
  release(): void {
    this.#isOver = true;
    if (this.#taken > 0) this.#held.free(this.#keyId, this.#taken);
    this.#taken = 0;
  }

  /** Takes whole pieces, so that the small deltas of a stream cost nothing. */
  #cover(): boolean {
    if (this.#isOver) return false;
    const pieces = Math.floor((this.#body + this.#answer) / UNCOUNTED_BYTES);
    const more = pieces * UNCOUNTED_BYTES * FACTOR - this.#taken;
    if (!this.#held.take(this.#keyId, more)) {
      this.release();
      this.#onExceeded(TOO_MUCH_HELD);
      return false;
    }
    this.#taken += more;
    this.#covered = (pieces + 1) * UNCOUNTED_BYTES;
    return true;
  }
}
