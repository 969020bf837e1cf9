import { CR, LF } from '../http/eventBounds.ts';
import type { Beginning } from './keyBeginnings.ts';
import type { Quote, QuotedKey } from './quotedKey.ts';

/** Events without content, which may occur between two events that belong together. */
const PING = /^(?::|event: ?ping|data: ?\{"type": ?"ping")/;
const PING_LENGTH = 24;
const [QUOTATION_MARK, BACKSLASH] = [0x22, 0x5c] as const;

/** How the strings of the following events continue the key. */
interface Continuation {
  /** Number of characters of the key. */
  readonly count: number;
  readonly places: readonly Quote[];
  /** Whether strings of events that have not arrived yet may continue it. */
  readonly isOpen: boolean;
}

const OPEN: Continuation = { count: 0, places: [], isOpen: true };

/**
 * Follows beginnings of the key through the events after them. Results are cached, so that the following events are
 * read only once even if many strings of an event end in the same way.
 */
export class KeyContinuations {
  readonly #key: QuotedKey;
  readonly #bytes: Buffer;
  /** Results for the events after {@link #end}, by the number of preceding key characters. */
  readonly #known = new Map<number, Continuation>();
  /** The end of the event with the last beginning. `undefined` if that event is incomplete. */
  #end: number | undefined = 0;

  constructor(key: QuotedKey, bytes: Buffer) {
    this.#key = key;
    this.#bytes = bytes;
  }

  /** @param beginning must not precede the last one. */
  after({ start, count }: Beginning): Continuation {
    if (this.#end !== undefined && start >= this.#end) {
      this.#end = endOfEvent(this.#bytes, start);
      this.#known.clear();
    }
    if (this.#end === undefined) return OPEN;
    const known = this.#known.get(count) ?? this.#follow(this.#end, count);
    this.#known.set(count, known);
    return known;
  }

  #follow(from: number, first: number): Continuation {
    let [count, end]: [number, number | undefined] = [0, from];
    const places: Quote[] = [];
    while (first + count < this.#key.length) {
      const start: number = end;
      end = endOfEvent(this.#bytes, start);
      if (end === undefined) return { count, places, isOpen: true };
      if (PING.test(this.#bytes.toString('latin1', start, start + PING_LENGTH))) continue;
      const next = this.#read(start, end, first + count);
      count += next.count;
      places.push(...next.places);
      if (!next.isWholeText) break;
    }
    return { count, places, isOpen: false };
  }

  /** Returns the strings of an event that continue the key with the longest match. */
  #read(from: number, end: number, first: number) {
    const bytes = this.#bytes;
    let [event, count, places, isWholeText]: [Buffer | undefined, number, Quote[], boolean] = [undefined, 0, [], false];
    for (let at = from; at < end; at += 1) {
      if (bytes[at] !== QUOTATION_MARK || !this.#key.opensAfter(first, bytes[at + 1] ?? 0)) continue;
      if (bytes[at - 1] === BACKSLASH) continue;
      event ??= bytes.subarray(0, end);
      const match = this.#key.match(event, at + 1, first);
      if (match.count === 0 || match.count < count) continue;
      if (match.count > count) [count, places, isWholeText] = [match.count, [], false];
      places.push({ start: at + 1, end: match.end });
      isWholeText ||= bytes[match.end] === QUOTATION_MARK;
    }
    return { count, places, isWholeText };
  }
}

/** Returns the end of the event that contains this position, or `undefined` if it is incomplete. */
function endOfEvent(bytes: Buffer, at: number): number | undefined {
  for (let line = bytes.indexOf(LF, at); line !== -1; line = bytes.indexOf(LF, line + 1)) {
    if (bytes[line + 1] === LF) return line + 2;
    if (bytes[line + 1] === CR && bytes[line + 2] === LF) return line + 3;
  }
  return undefined;
}
