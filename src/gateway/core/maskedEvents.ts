import { KeyBeginnings } from './keyBeginnings.ts';
import { KeyContinuations } from './keyContinuations.ts';
import { type KeyMask, MaskedStream } from './keyMask.ts';
import type { Quote, QuotedKey } from './quotedKey.ts';

/** Maximum number of bytes that are held back, whatever the events contain. */
const MAX_HELD_BYTES = 64 * 1024;
const FILLING = '.'.charCodeAt(0);

/**
 * Masks a stream of events, in which the key may be split across the strings of several events. Events are held back
 * only while a string ends with the possible beginning of the key. The length of the stream does not change.
 */
export class MaskedEvents {
  readonly #key: QuotedKey;
  readonly #stream: MaskedStream;
  /** The last bytes, from the beginning of a key on. */
  #held: Buffer | undefined;
  #hasFound = false;

  constructor(mask: KeyMask) {
    this.#key = mask.quoted;
    this.#stream = new MaskedStream(mask);
  }

  /** Whether a key was found so far. */
  get hasFound(): boolean {
    return this.#hasFound || this.#stream.hasFound;
  }

  /** Whether the bytes so far end with the possible beginning of a key. */
  get isHolding(): boolean {
    return this.#held !== undefined || this.#stream.isHolding;
  }

  /** Returns the bytes that can be forwarded, possibly none. */
  push(chunk: Buffer): Buffer {
    return this.#goOn(this.#stream.push(chunk), false);
  }

  /** Returns the bytes that were held back. Most of a key is masked like the whole key. */
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
      if (at.count + next.count >= this.#key.minLength) places.push(at, ...next.places);
    }
    return this.#cover(bytes, places);
  }

  /** Returns a copy with these ranges masked, or the same bytes if there are none. */
  #cover(bytes: Buffer, places: readonly Quote[]): Buffer {
    if (places.length === 0) return bytes;
    this.#hasFound = true;
    const copy = Buffer.from(bytes);
    for (const { start, end } of places) copy.fill(FILLING, start, end);
    return copy;
  }
}
