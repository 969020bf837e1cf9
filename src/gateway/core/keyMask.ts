import type { OutgoingHttpHeaders } from 'node:http';
import type { ByteSink } from '../http/byteSink.ts';
import { LF } from '../http/eventBounds.ts';
import { BACKSLASH, CLOSING_BRACE } from '../http/jsonMeasure.ts';
import { needleOf } from '../http/wordSearch.ts';

/** Shorter keys are not secret: local servers accept words such as `none`, which also occur in texts. */
const MIN_SECRET_LENGTH = 12;
const FILLING = '.'.charCodeAt(0);
/** Fewer consecutive characters of a key reveal nothing beyond its ends, which are shown anyway. */
const MIN_QUOTE_LENGTH = 12;
/** The beginning of an ASCII character that JSON escapes by its number, which follows in two hexadecimal digits. */
const ESCAPE = Buffer.from('\\u00');
const ESCAPE_LENGTH = 6;
/** JSON in JSON has two, four, or eight of them before an escaped character. */
const BACKSLASHES = '\\\\{1,8}';

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

interface Quote {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** Finds quotes of a key in bytes: as it is, as JSON escapes it, or in base64. */
class QuotedKey {
  /** A part of the key that each quote contains as it is, unless it is encoded. */
  readonly core: Buffer;
  /** A part of the core that is found sooner. */
  readonly needle: Buffer;
  /** Whether a quote may end with the byte with which a JSON object does. */
  readonly hasBrace: boolean;
  /** Matches the core, the key in base64, and a backslash: a part of a quote in any encoding. */
  readonly suspicious: RegExp;
  readonly #key: Buffer;
  /** Matches the key, and its beginning if that is most of it, with and without escapes of JSON. */
  readonly #written: RegExp;
  /** Also matches the key in base64. */
  readonly #encoded: RegExp;

  constructor(key: string) {
    this.#key = Buffer.from(key);
    this.hasBrace = key.includes('}');
    const { length } = this.#key;
    const minLength = Math.max(MIN_QUOTE_LENGTH, length - Math.floor(length / 3));
    this.core = coreOf(this.#key.subarray(0, minLength));
    this.needle = needleOf(this.core);
    const characters = [...this.#key].map(written);
    const end = characters.slice(minLength).reduceRight((rest, character) => `(?:${character}${rest})?`, '');
    const beginning = characters.slice(0, minLength).join('') + end;
    const base64 = base64Forms(this.#key).map(literally);
    this.#written = new RegExp(beginning, 'g');
    this.#encoded = new RegExp([beginning, ...base64].join('|'), 'g');
    this.suspicious = new RegExp(['\\\\', literally(this.core.toString('latin1')), ...base64].join('|'));
  }

  /** Whether the bytes of a successful answer may contain a quote. Most contain neither the core nor such an escape. */
  mayBeIn(bytes: Buffer): boolean {
    return (bytes.includes(this.needle) && bytes.includes(this.core)) || bytes.includes(ESCAPE);
  }

  /** Returns the quotes as they are, or as JSON escapes them. */
  find(bytes: Buffer): readonly Quote[] {
    return matches(bytes, this.#written);
  }

  /** Also returns those in base64. */
  findEncoded(bytes: Buffer): readonly Quote[] {
    return matches(bytes, this.#encoded);
  }

  /**
   * Returns where the possible beginning of a quote at the end of the bytes starts, or -1 if there is none. Only JSON's
   * escapes are considered.
   */
  beginningAtEnd(bytes: Buffer): number {
    const first = this.#key[0];
    const from = Math.max(0, bytes.length - this.#key.length * ESCAPE_LENGTH);
    for (let at = from; at < bytes.length; at += 1) {
      if ((bytes[at] === first || bytes[at] === BACKSLASH) && this.#isCutOff(bytes, at)) return at;
    }
    return -1;
  }

  /** Whether the bytes from here to the end are an incomplete quote. */
  #isCutOff(bytes: Buffer, start: number): boolean {
    let at = start;
    for (const code of this.#key) {
      if (at >= bytes.length) return true;
      if (bytes[at] === code && code !== BACKSLASH) at += 1;
      else if (bytes[at] !== BACKSLASH) return false;
      else {
        const rest = bytes.toString('latin1', at, at + ESCAPE_LENGTH).toLowerCase();
        const escapes = [`\\u00${code.toString(16)}`, `\\${String.fromCharCode(code)}`];
        const found = escapes.find((each) => rest.startsWith(each) || each.startsWith(rest));
        if (found === undefined) return false;
        at += found.length;
      }
    }
    return at > bytes.length;
  }
}

function matches(bytes: Buffer, pattern: RegExp): readonly Quote[] {
  return Array.from(bytes.toString('latin1').matchAll(pattern), ({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }));
}

/** Returns a pattern for a character with and without the escapes of JSON. */
function written(code: number): string {
  const character = String.fromCharCode(code);
  const number = code.toString(16).replace(/[a-f]/, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const byNumber = `${BACKSLASHES}u00${number}`;
  if (code === BACKSLASH) return `(?:${byNumber}|${BACKSLASHES})`;
  // Some servers escape slashes, too. Keys in base64 contain them.
  const isEscaped = character === '"' || character === '/';
  return `(?:${literally(character)}|${byNumber}${isEscaped ? `|${BACKSLASHES}${character}` : ''})`;
}

function literally(text: string): string {
  return text.replace(/\W/g, '\\$&');
}

/** Returns the longest part without a character that a backslash may precede. */
function coreOf(beginning: Buffer): Buffer {
  const parts = beginning.toString('latin1').split(/[/"\\]/);
  return Buffer.from(parts.toSorted((a, b) => b.length - a.length)[0] ?? '', 'latin1');
}

/** Omits the characters at both ends, which depend on the bytes next to the key. */
function base64Forms(key: Buffer): readonly string[] {
  const forms = [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), key]);
    const start = Math.ceil((before * 8) / 6);
    const end = Math.floor((text.length * 8) / 6);
    return (['base64', 'base64url'] as const).map((alphabet) => text.toString(alphabet).slice(start, end));
  });
  return [...new Set(forms)];
}
