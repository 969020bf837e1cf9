import type { OutgoingHttpHeaders } from 'node:http';
import { type Quote, QuotedKey } from './quotedKey.ts';

/** Shorter keys are not secret: local servers accept words such as `none`, which also occur in texts. */
const MIN_SECRET_LENGTH = 12;
const FILLING = '.'.charCodeAt(0);

/**
 * Removes an upstream's key from what the upstream sends. Services quote the key that they refuse in errors, and
 * sometimes in events, either literally or encoded as JSON, HTML, URL, or base64. If nothing is found, the bytes stay
 * the same.
 */
export class KeyMask {
  readonly quoted: QuotedKey;
  readonly #length: number;
  readonly #lowerCore: string;
  /** In ASCII, because it is also used in headers. */
  readonly #mask: Buffer;

  private constructor(key: string) {
    this.quoted = new QuotedKey(key);
    this.#length = Buffer.byteLength(key);
    this.#lowerCore = this.quoted.core.toString().toLowerCase();
    this.#mask = Buffer.from(`key_...${key.slice(-4)}`.padStart(this.#length, '.').slice(-this.#length));
  }

  /** Returns `undefined` if there is no secret to mask. */
  static of(key: string | undefined): KeyMask | undefined {
    return key === undefined || key.length < MIN_SECRET_LENGTH ? undefined : new KeyMask(key);
  }

  headers(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
    const names = Object.keys(headers);
    const hasNamed = names.some((name) => this.#isQuotedBy(name));
    // One search of all values is much cheaper than one search for each.
    const isSuspect = this.quoted.isSuspect(Buffer.from(Object.values(headers).join('\n'), 'latin1'));
    if (!isSuspect && !hasNamed) return headers;
    let hasFound = hasNamed;
    const masked = names.flatMap((name) => {
      if (this.#isQuotedBy(name)) return [];
      const value = headers[name];
      const clean = this.#value(value);
      hasFound ||= clean !== value;
      return [[name, clean] as const];
    });
    return hasFound ? Object.fromEntries(masked) : headers;
  }

  /** Whether the name of a header contains the key. Names are in lower case, and a name cannot be masked. */
  #isQuotedBy(name: string): boolean {
    return name.length >= this.quoted.minLength && name.toLowerCase().includes(this.#lowerCore);
  }

  /** Masks a complete body without changing its length. Returns the same bytes if there is nothing to mask. */
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

  /** Returns where the possible beginning of a key at the end of the bytes starts, or -1 if there is none. */
  beginningAtEnd(bytes: Buffer): number {
    return this.quoted.beginningAtEnd(bytes);
  }

  /** Returns a mask for a body that arrives in chunks. */
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
 * Masks a body while it passes. Its length does not change, because it may have been announced. All of every body is
 * searched, because the native search takes only some µs for 44 KB.
 */
export class MaskedStream {
  readonly #mask: KeyMask;
  /** The last bytes, if they could be the beginning of a key. */
  #held: Buffer | undefined;
  #hasFound = false;

  constructor(mask: KeyMask) {
    this.#mask = mask;
  }

  /** Whether a key was found so far. */
  get hasFound(): boolean {
    return this.#hasFound;
  }

  /** Whether the bytes so far end with the possible beginning of a key. */
  get isHolding(): boolean {
    return this.#held !== undefined;
  }

  /** Returns the bytes that can be forwarded, possibly none. */
  push(chunk: Buffer): Buffer {
    const bytes = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk]);
    const end = this.#mask.beginningAtEnd(bytes);
    this.#held = end === -1 ? undefined : bytes.subarray(end);
    return this.#cover(end === -1 ? bytes : bytes.subarray(0, end));
  }

  /** Returns the bytes that were held back. Most of a key is masked like the whole key. */
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
