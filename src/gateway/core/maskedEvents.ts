import { type Beginning, KeyBeginnings } from './keyBeginnings.ts';
import { keyContinuation } from './keyContinuation.ts';
import { type KeyMask, MaskedStream } from './keyMask.ts';
import type { Quote, QuotedKey } from './quotedKey.ts';

/** More is not held back, whatever the events say. */
const MAX_HELD_BYTES = 256 * 1024;
/** Events that say nothing, and so may stand between two that belong together. */
const PING = /^(?::|event: ?ping|data: ?\{"type": ?"ping")/;
const PING_LENGTH = 24;
const [BLANK_LINE, BLANK_LINE_CRLF] = ['\n\n', '\n\r\n'];
const FILLING = '.'.charCodeAt(0);

/** A part of the key that texts of one or more events make up. */
interface Part {
  /** Characters of the key. */
  readonly count: number;
  readonly places: readonly Quote[];
}

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
    const found: Part[] = [];
    const beginnings = new KeyBeginnings(this.#key, bytes, 0);
    for (let at = beginnings.next(0); at !== undefined; at = beginnings.next(at.start + 1)) {
      const { start } = at;
      const { part, isOpen } = this.#partFrom(bytes, at);
      if (isOpen && !isEnd && bytes.length - start <= MAX_HELD_BYTES) {
        const covered = this.#cover(bytes, found);
        this.#held = covered.subarray(start);
        return covered.subarray(0, start);
      }
      if (part.count >= this.#key.least) found.push(part);
    }
    return this.#cover(bytes, found);
  }

  /** The part that begins with this text, and whether the texts of events that are still to come may go on with it. */
  #partFrom(bytes: Buffer, { start, count }: Beginning): { readonly part: Part; readonly isOpen: boolean } {
    let end = endOfEvent(bytes, start);
    let part: Part = { count, places: this.#placesOf(bytes.subarray(0, end), start, count) };
    while (end !== undefined && part.count < this.#key.length) {
      const from = end;
      end = endOfEvent(bytes, from);
      if (PING.test(bytes.toString('latin1', from, from + PING_LENGTH))) continue;
      const next = keyContinuation(this.#key, bytes.subarray(0, end), from, part.count);
      part = { count: part.count + next.count, places: [...part.places, ...next.places] };
      if (end !== undefined && !next.isWholeText) return { part, isOpen: false };
    }
    return { part, isOpen: part.count < this.#key.length };
  }

  /** Where the texts of an event end with the same beginning of the key. */
  #placesOf(event: Buffer, start: number, count: number): Quote[] {
    const places: Quote[] = [];
    const beginnings = new KeyBeginnings(this.#key, event, start);
    for (let at = beginnings.next(start); at !== undefined; at = beginnings.next(at.end)) {
      if (at.count === count) places.push(at);
    }
    return places;
  }

  /** A copy without these parts, if there are any. */
  #cover(bytes: Buffer, parts: readonly Part[]): Buffer {
    if (parts.length === 0) return bytes;
    this.#hasFound = true;
    const copy = Buffer.from(bytes);
    for (const { start, end } of parts.flatMap(({ places }) => places)) copy.fill(FILLING, start, end);
    return copy;
  }
}

/** Behind the event that has something at this position; `undefined` if it is not all there. */
function endOfEvent(bytes: Buffer, at: number): number | undefined {
  const plain = bytes.indexOf(BLANK_LINE, at);
  const end = plain === -1 ? bytes.length : plain + BLANK_LINE.length;
  const withReturn = bytes.subarray(at, end).indexOf(BLANK_LINE_CRLF);
  if (withReturn !== -1) return at + withReturn + BLANK_LINE_CRLF.length;
  return plain === -1 ? undefined : end;
}
