import { KeyBeginnings } from './keyBeginnings.ts';
import { KeyContinuations } from './keyContinuations.ts';
import { type KeyMask, MaskedStream } from './keyMask.ts';
import type { Quote, QuotedKey } from './quotedKey.ts';

/** More is not held back, whatever the events say. */
const MAX_HELD_BYTES = 64 * 1024;
const FILLING = '.'.charCodeAt(0);

/**
 * A stream of events on its way through, in which the key may be divided among the texts of several events. They are held
 * back only as long as a text ends with what could be the beginning of the key. What goes on has the length of what came.
 */
export class MaskedEvents {
  readonly #key: QuotedKey;
  readonly #stream: MaskedStream;
  /** What came last, from the beginning of a key on. */
  #held: Buffer | undefined;
  #hasFound = false;

  constructor(mask: KeyMask) {
    this.#key = mask.quoted;
    this.#stream = new MaskedStream(mask);
  }

  /** Whether there was a key in what came so far. */
  get hasFound(): boolean {
    return this.#hasFound || this.#stream.hasFound;
  }

  /** Whether what came so far ends with the beginning of a key. */
  get isHolding(): boolean {
    return this.#held !== undefined || this.#stream.isHolding;
  }

  /** What may go on; perhaps nothing yet. */
  push(chunk: Buffer): Buffer {
    return this.#goOn(this.#stream.push(chunk), false);
  }

  /** What was held back. Most of a key counts as one. */
  end(): Buffer | undefined {
    const rest = this.#goOn(this.#stream.end() ?? Buffer.alloc(0), true);
    return rest.length === 0 ? undefined : rest;
  }

  #goOn(chunk: Buffer, isEnd: boolean): Buffer {
    const bytes = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = undefined;
    const places: Quote[] = [];
    const beginnings = new KeyBeginnings(this.#key, bytes);
    const continuations = new KeyContinuations(this.#key, bytes);
    for (let at = beginnings.next(0); at !== undefined; at = beginnings.next(at.start + 1)) {
      const next = continuations.after(at);
      if (next.isOpen && !isEnd && bytes.length - at.start <= MAX_HELD_BYTES) {
        const covered = this.#cover(bytes, places);
        this.#held = covered.subarray(at.start);
        return covered.subarray(0, at.start);
      }
      if (at.count + next.count >= this.#key.least) places.push(at, ...next.places);
    }
    return this.#cover(bytes, places);
  }

  /** A copy without what stands there, if anything does. */
  #cover(bytes: Buffer, places: readonly Quote[]): Buffer {
    if (places.length === 0) return bytes;
    this.#hasFound = true;
    const copy = Buffer.from(bytes);
    for (const { start, end } of places) copy.fill(FILLING, start, end);
    return copy;
  }
}
