import type { OutgoingHttpHeaders } from 'node:http';
import { type Quote, QuotedKey } from './quotedKey.ts';

/** Shorter ones are no secrets: servers on one's own machine take words such as `none`, which also occur in texts. */
const SHORTEST_SECRET = 12;
const FILLING = '.'.charCodeAt(0);

/**
 * Takes the key for an upstream out of what that upstream says: services quote the key that they refuse, in errors and
 * now and then in events, as it is or as JSON, HTML, an address or base64 spells it. Where nothing is found, everything
 * stays the very bytes that came.
 */
export class KeyMask {
  readonly quoted: QuotedKey;
  readonly #length: number;
  /** In ASCII, since headers contain it, too. */
  readonly #mask: Buffer;

  private constructor(key: string) {
    this.quoted = new QuotedKey(key);
    this.#length = Buffer.byteLength(key);
    this.#mask = Buffer.from(`key_...${key.slice(-4)}`.padStart(this.#length, '.').slice(-this.#length));
  }

  /** `undefined` where there is no secret to keep. */
  static of(key: string | undefined): KeyMask | undefined {
    return key === undefined || key.length < SHORTEST_SECRET ? undefined : new KeyMask(key);
  }

  headers(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
    // One search of them all is much cheaper than one of each.
    if (!this.quoted.isSuspect(Buffer.from(Object.values(headers).join('\n'), 'latin1'))) return headers;
    let hasFound = false;
    const masked = Object.entries(headers).map(([name, value]) => {
      const clean = this.#value(value);
      hasFound ||= clean !== value;
      return [name, clean] as const;
    });
    return hasFound ? Object.fromEntries(masked) : headers;
  }

  /** The whole of a body, its length unchanged; the same bytes when there is nothing to hide. */
  body(bytes: Buffer): Buffer {
    if (!this.quoted.isSuspect(bytes)) return bytes;
    const quotes = this.quoted.find(bytes);
    if (quotes.length === 0) return bytes;
    const copy = Buffer.from(bytes);
    for (const quote of quotes) this.#cover(copy, quote);
    return copy;
  }

  text(text: string): string {
    const bytes = Buffer.from(text);
    const masked = this.body(bytes);
    return masked === bytes ? text : masked.toString();
  }

  /** Where the bytes end with what could be the beginning of a key; -1 when they do not. */
  beginningAtEnd(bytes: Buffer): number {
    return this.quoted.beginningAtEnd(bytes);
  }

  /** For a body that comes in pieces. */
  stream(): MaskedStream {
    return new MaskedStream(this);
  }

  #cover(bytes: Buffer, { start, end }: Quote): void {
    if (end - start === this.#length) this.#mask.copy(bytes, start);
    else bytes.fill(FILLING, start, end);
  }

  #value(value: OutgoingHttpHeaders[string]): OutgoingHttpHeaders[string] {
    if (!Array.isArray(value)) return typeof value === 'string' ? this.text(value) : value;
    const masked = value.map((item) => this.text(item));
    return masked.some((item, nth) => item !== value[nth]) ? masked : value;
  }
}

/**
 * A body on its way through. It keeps its length, which may have been announced. The machine's own searches take some
 * µs for 44 KB, so all of every body is searched.
 */
export class MaskedStream {
  readonly #mask: KeyMask;
  /** The last bytes, where they could be the beginning of a key. */
  #held: Buffer | undefined;
  #hasFound = false;

  constructor(mask: KeyMask) {
    this.#mask = mask;
  }

  /** Whether there was a key in what came so far. */
  get hasFound(): boolean {
    return this.#hasFound;
  }

  /** Whether what came so far ends with the beginning of a key. */
  get isHolding(): boolean {
    return this.#held !== undefined;
  }

  /** What may be passed on; perhaps nothing yet. */
  push(chunk: Buffer): Buffer {
    const bytes = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk]);
    const end = this.#mask.beginningAtEnd(bytes);
    this.#held = end === -1 ? undefined : bytes.subarray(end);
    return this.#cover(end === -1 ? bytes : bytes.subarray(0, end));
  }

  /** What was held back. Most of a key counts as one. */
  end(): Buffer | undefined {
    const held = this.#held;
    this.#held = undefined;
    return held === undefined ? undefined : this.#cover(held);
  }

  #cover(bytes: Buffer): Buffer {
    const masked = this.#mask.body(bytes);
    if (masked !== bytes) this.#hasFound = true;
    return masked;
  }
}
