import type { OutgoingHttpHeaders } from 'node:http';
import type { ByteSink } from '../http/byteSink.ts';
import { LF } from '../http/eventBounds.ts';
import { BACKSLASH, CLOSING_BRACE } from '../http/jsonMeasure.ts';
import { type Quote, QuotedKey } from './quotedKey.ts';

/** Shorter keys are not secret: local servers accept words such as `none`, which also occur in texts. */
const MIN_SECRET_LENGTH = 12;
const FILLING = '.'.charCodeAt(0);

/**
 * Removes an upstream's key from what the upstream sends. In a successful answer, it is found as it is, or as JSON
 * escapes it: an upstream is trusted with its key, and no model sees it. Errors and headers quote it in base64, too. If
 * nothing is found, the bytes stay the same.
 */
export class KeyMask {
  readonly #quoted: QuotedKey;
  readonly #length: number;
  readonly #lowerCore: string;
  /** In ASCII, because it is also used in headers. */
  readonly #mask: Buffer;

  private constructor(key: string) {
    this.#quoted = new QuotedKey(key);
    this.#length = Buffer.byteLength(key);
    this.#lowerCore = this.#quoted.core.toString().toLowerCase();
    this.#mask = Buffer.from(`key_...${key.slice(-4)}`.padStart(this.#length, '.').slice(-this.#length));
  }

  /** Returns `undefined` if there is no secret to mask. */
  static of(key: string | undefined): KeyMask | undefined {
    return key === undefined || key.length < MIN_SECRET_LENGTH ? undefined : new KeyMask(key);
  }

  /** Masks values in all encodings, and removes headers whose names contain the key, because a name cannot be masked. */
  headers(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
    // One search of all headers is much cheaper than one search for each.
    const hasNamed = Object.keys(headers).join('\n').toLowerCase().includes(this.#lowerCore);
    if (!hasNamed && !this.#quoted.suspicious.test(Object.values(headers).join('\n'))) return headers;
    const named = Object.entries(headers).filter(([name]) => !name.toLowerCase().includes(this.#lowerCore));
    return Object.fromEntries(named.map(([name, value]) => [name, this.#value(value)]));
  }

  /** Masks a complete error in all encodings, without changing its length. */
  error(bytes: Buffer): Buffer {
    return this.cover(bytes, this.#quoted.findEncoded(bytes));
  }

  /** Like {@link error}, for a text. */
  text(text: string): string {
    const bytes = Buffer.from(text);
    const masked = this.error(bytes);
    return masked === bytes ? text : masked.toString();
  }

  /** Masks a text of a successful answer that was put together from several ones. */
  answerText(text: string): string {
    const bytes = Buffer.from(text);
    return this.#quoted.mayBeIn(bytes) ? this.cover(bytes, this.#quoted.find(bytes)).toString() : text;
  }

  /** Returns a mask for the body of a successful answer, which arrives in chunks and goes on to `to`. */
  stream(to: ByteSink): MaskedStream {
    return new MaskedStream(this, this.#quoted, to);
  }

  /** Returns a copy in which these quotes are masked, or the same bytes if there are none. */
  cover(bytes: Buffer, quotes: readonly Quote[]): Buffer {
    if (quotes.length === 0) return bytes;
    const copy = Buffer.from(bytes);
    for (const { start, end } of quotes) {
      if (end - start === this.#length) this.#mask.copy(copy, start);
      else copy.fill(FILLING, start, end);
    }
    return copy;
  }

  #value(value: OutgoingHttpHeaders[string]): OutgoingHttpHeaders[string] {
    if (Array.isArray(value)) return value.map((item) => this.text(item));
    return typeof value === 'string' ? this.text(value) : value;
  }
}

/**
 * Masks the body of a successful answer while it passes. Its length does not change, because it may have been
 * announced. A chunk without the key costs two native searches.
 */
export class MaskedStream implements ByteSink {
  readonly #mask: KeyMask;
  readonly #quoted: QuotedKey;
  readonly #to: ByteSink;
  /** The last bytes, if they could be the beginning of a key. */
  #held: Buffer | undefined;
  #hasFound = false;

  constructor(mask: KeyMask, quoted: QuotedKey, to: ByteSink) {
    this.#mask = mask;
    this.#quoted = quoted;
    this.#to = to;
  }

  /** Whether a key was found so far. */
  get hasFound(): boolean {
    return this.#hasFound;
  }

  /** Whether the bytes so far end with the possible beginning of a key. */
  get isHolding(): boolean {
    return this.#held !== undefined;
  }

  /** Passes on the bytes that are certain not to begin a key. */
  data(chunk: Buffer): boolean {
    const bytes = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = undefined;
    const last = bytes[bytes.length - 1];
    // Every event ends with a line feed, which no key contains, and most other answers end with a brace.
    const isClear = last === LF || (last === CLOSING_BRACE && !this.#quoted.hasBrace);
    const cut = isClear ? -1 : this.#quoted.beginningAtEnd(bytes);
    const end = cut === -1 ? bytes.length : cut;
    // Without a backslash, it is in them only as it is.
    const mayQuote = bytes.includes(BACKSLASH) || bytes.includes(this.#quoted.needle);
    const masked = mayQuote && this.#quoted.mayBeIn(bytes) ? this.#cover(bytes, end) : bytes;
    if (cut !== -1) this.#held = masked.subarray(end);
    if (end === 0) return true;
    let to = this.#to;
    while (to.direct !== undefined) to = to.direct;
    return to.data(cut === -1 ? masked : masked.subarray(0, end));
  }

  /** Passes on the bytes that were held back. Most of a key is masked like the whole key. */
  end(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) this.#to.data(this.#cover(held, held.length));
  }

  /** Masks quotes that begin before this position. Those at it may be incomplete. */
  #cover(bytes: Buffer, before: number): Buffer {
    const quotes = this.#quoted.find(bytes).filter(({ start }) => start < before);
    this.#hasFound ||= quotes.length > 0;
    return this.#mask.cover(bytes, quotes);
  }
}
