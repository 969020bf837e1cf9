/** Finds quotes of a key in bytes: as it is, truncated, or encoded in a way that the recipient decodes. */
import { needleOf } from '../http/wordSearch.ts';
import { type DecodedBytes, decodeAll, decodeJson, originOf } from './encodedCharacters.ts';

/** Fewer consecutive characters of a key reveal nothing beyond its ends, which are shown anyway. */
const MIN_QUOTE_LENGTH = 12;
/** Levels of encoding that are decoded, such as the escapes of JSON within JSON. */
const MAX_LEVELS = 4;
/** Characters that some servers escape in JSON with a backslash alone. Keys in base64 contain slashes. */
const ESCAPABLE = ['/', '"', '\\'];
/** The beginning of an ASCII character that JSON escapes by its number, which follows in two hexadecimal digits. */
const ESCAPE = Buffer.from('\\u00');
const ESCAPE_LENGTH = 6;
export const BACKSLASH = 0x5c;

export interface Quote {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export class QuotedKey {
  /** A part of the key that each quote contains as it is, unless it is encoded. */
  readonly core: Buffer;
  /** A part of the core that is found sooner. */
  readonly needle: Buffer;
  /** Minimum number of consecutive characters of the key that count as a quote: two thirds of them. */
  readonly minLength: number;
  /** Whether a quote may end with the byte with which a JSON object does. */
  readonly hasBrace: boolean;
  readonly #key: Buffer;
  readonly #coreAt: number;
  /** The key in base64, for each of the three byte offsets at which it can begin. */
  readonly #base64: readonly Buffer[];
  /** Matches the core, the key in base64, and what begins an encoded character: a part of a quote in any encoding. */
  readonly suspicious: RegExp;
  /** The key's characters as JSON numbers them, such as `5f`. */
  readonly #numbers: ReadonlySet<string>;
  /** Those that JSON may escape with a backslash alone. */
  readonly #escaped: readonly string[];

  constructor(key: string) {
    this.#key = Buffer.from(key);
    this.hasBrace = key.includes('}');
    const { length } = this.#key;
    this.minLength = Math.max(MIN_QUOTE_LENGTH, length - Math.floor(length / 3));
    this.core = coreOf(this.#key.subarray(length - this.minLength, this.minLength));
    this.needle = needleOf(this.core);
    this.#coreAt = this.#key.indexOf(this.core);
    this.#base64 = base64Forms(this.#key);
    const sought = [this.core, ...this.#base64].map((each) => each.toString('latin1').replace(/\W/g, '\\$&'));
    this.suspicious = new RegExp(`[\\\\%&]|${sought.join('|')}`);
    this.#numbers = new Set([...this.#key].map((code) => code.toString(16)));
    this.#escaped = ESCAPABLE.filter((character) => key.includes(character)).map((character) => `\\${character}`);
  }

  /** Whether the bytes of a successful answer may contain a quote. Most contain neither the core nor such an escape. */
  mayBeIn(bytes: Buffer): boolean {
    if (bytes.includes(this.needle) && bytes.includes(this.core)) return true;
    for (let at = bytes.indexOf(ESCAPE); at !== -1; at = bytes.indexOf(ESCAPE, at + 1)) {
      if (this.#numbers.has(bytes.toString('latin1', at + ESCAPE.length, at + ESCAPE_LENGTH).toLowerCase()))
        return true;
    }
    for (const escaped of this.#escaped) if (bytes.includes(escaped)) return true;
    return false;
  }

  /** Returns the quotes as they are, or as JSON escapes them. */
  find(bytes: Buffer): readonly Quote[] {
    const decoded = decodeJson(bytes);
    return joined([...this.#plainIn({ bytes }), ...(decoded === undefined ? [] : this.#plainIn(decoded))]);
  }

  /** Returns the quotes in all encodings: of JSON, HTML, and URLs, also within each other, and base64. */
  findEncoded(bytes: Buffer): readonly Quote[] {
    const quotes = [...this.#plainIn({ bytes }), ...this.#base64In({ bytes })];
    let text = this.#mayBeEncodedIn(bytes) ? decodeAll({ bytes }) : undefined;
    for (let level = 1; level <= MAX_LEVELS && text !== undefined; level += 1) {
      quotes.push(...this.#plainIn(text), ...this.#base64In(text));
      text = decodeAll(text);
    }
    return joined(quotes);
  }

  /** Whether characters of the key may be encoded. Escaped quotes alone, of which JSON is full, are none. */
  #mayBeEncodedIn(bytes: Buffer): boolean {
    return ['%', '&', ESCAPE, ...this.#escaped].some((sought) => bytes.includes(sought));
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
        const found = escapes.find((written) => rest.startsWith(written) || written.startsWith(rest));
        if (found === undefined) return false;
        at += found.length;
      }
    }
    return at > bytes.length;
  }

  #plainIn(text: DecodedBytes): readonly Quote[] {
    const { bytes } = text;
    const [key, core] = [this.#key, this.core];
    const quotes: Quote[] = [];
    for (let at = bytes.indexOf(core); at !== -1; at = bytes.indexOf(core, at + 1)) {
      let [before, after] = [0, core.length];
      while (before < this.#coreAt && bytes[at - before - 1] === key[this.#coreAt - before - 1]) before += 1;
      while (this.#coreAt + after < key.length && bytes[at + after] === key[this.#coreAt + after]) after += 1;
      if (before + after >= this.minLength) quotes.push(quoteIn(text, at - before, at + after));
    }
    return quotes;
  }

  #base64In(text: DecodedBytes): readonly Quote[] {
    return this.#base64.flatMap((form) => {
      const quotes: Quote[] = [];
      for (let at = text.bytes.indexOf(form); at !== -1; at = text.bytes.indexOf(form, at + form.length)) {
        quotes.push(quoteIn(text, at, at + form.length));
      }
      return quotes;
    });
  }
}

function quoteIn(text: DecodedBytes, start: number, end: number): Quote {
  return { start: originOf(text, start), end: originOf(text, end) };
}

/** Returns the longest part without a character that a backslash may precede. */
function coreOf(middle: Buffer): Buffer {
  const parts = middle.toString('latin1').split(/[/"\\]/);
  return Buffer.from(parts.toSorted((a, b) => b.length - a.length)[0] ?? '', 'latin1');
}

/** Omits the characters at both ends, which depend on the bytes next to the key. */
function base64Forms(key: Buffer): readonly Buffer[] {
  const forms = [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), key]);
    const start = Math.ceil((before * 8) / 6);
    const end = Math.floor((text.length * 8) / 6);
    return (['base64', 'base64url'] as const).map((alphabet) => text.toString(alphabet).slice(start, end));
  });
  return [...new Set(forms)].map((form) => Buffer.from(form));
}

/** Sorts quotes and merges those that overlap. */
function joined(quotes: readonly Quote[]): readonly Quote[] {
  const result: Quote[] = [];
  for (const quote of quotes.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || quote.start >= last.end) result.push(quote);
    else result[result.length - 1] = { start: last.start, end: Math.max(last.end, quote.end) };
  }
  return result;
}
