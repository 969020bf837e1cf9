/** Finds quotes of a key in bytes: literal, truncated, or encoded in a way that the recipient decodes. */

import { type Entity, entitiesOf } from './htmlEntities.ts';

/** Fewer consecutive characters of a key reveal nothing beyond its ends, which are shown anyway. */
const MIN_QUOTE_LENGTH = 12;
/** Strings nested in strings double their backslashes. Deeper nesting is not expected. */
const MAX_BACKSLASHES = 8;
const MAX_ENTITY_DIGITS = 7;
/** Maximum levels of HTML encoding, each of which encodes the ampersands of the one before. */
const MAX_PAGES = 4;
/** Number of consecutive byte pairs that are rarely all in a key by chance. */
const SAMPLED_PAIRS = 4;
/** Maximum levels of URL encoding, each of which encodes the percent signs of the one before. */
const MAX_ADDRESSES = 4;
const [DIGIT_2, DIGIT_5] = [0x32, 0x35] as const;
/** Maximum length of an encoded character: `&DiacriticalGrave;` with encoded ampersands, or backslashes and `u005f`. */
const MAX_SPELLING_LENGTH = 64;

const [LINE_FEED, BACKSLASH, PERCENT, AMPERSAND, HASH, SEMICOLON, SMALL_U, SMALL_X] = [
  0x0a, 0x5c, 0x25, 0x26, 0x23, 0x3b, 0x75, 0x78,
] as const;

const SPELT: ReadonlySet<number> = new Set([BACKSLASH, PERCENT, AMPERSAND]);
/** The same set as a table indexed by byte. */
const SPELT_BYTES = Uint8Array.from({ length: 256 }, (_, byte) => (SPELT.has(byte) ? 1 : 0));
/** Characters that some servers escape in JSON with a backslash alone. Keys in base64 contain slashes. */
const ESCAPABLE = ['/', '"', '\\'];
const [ESCAPE, NUMBER] = [Buffer.from('\\u00'), Buffer.from('&#')];

export interface Quote {
  readonly start: number;
  readonly end: number;
}

/** How much of the key matches at a position. */
interface Match {
  /** Number of characters of the key. */
  readonly count: number;
  /** The position after the last of them. */
  readonly end: number;
  /** Whether the bytes end before the match is complete. */
  readonly isCutOff: boolean;
}

/** Results for a character that cannot be decoded, and for one that is incomplete. */
const NONE = -1;
const UNFINISHED = -2;

export class QuotedKey {
  readonly #key: Buffer;
  /** A part of the key that every quote with at least {@link minLength} characters contains. */
  readonly core: Buffer;
  /** Minimum number of consecutive characters of the key that count as a quote. */
  readonly minLength: number;
  /** The key in base64, for each of the three byte offsets at which it can begin. */
  readonly #base64: readonly Buffer[];
  /** Pairs of bytes that occur in the key or one of its encoded forms, indexed by both bytes. */
  readonly #pairs = new Uint8Array(0x1_0000);
  /** Bytes with which a quote may begin. */
  readonly #openers = new Uint8Array(256);
  /** The first two bytes of the key. */
  readonly firstBytes: readonly [number, number];
  /** Maximum length of a quote without encoded characters, minus one. */
  readonly #longest: number;
  /** The named entities of the key's characters and of the ampersand. */
  readonly #entities: readonly Entity[];
  /** Characters of the key with a backslash before them. */
  readonly #escapes: readonly Buffer[];
  /** The position after the character that was read last. */
  #next = 0;
  /** The last result of {@link mayContain}, and the bytes that it is for. */
  #searched: Buffer | undefined;
  #mayBeSpelt = false;

  constructor(key: string) {
    this.#key = Buffer.from(key);
    const { length } = this.#key;
    this.minLength = Math.max(MIN_QUOTE_LENGTH, length - Math.floor(length / 3));
    this.core = this.#key.subarray(length - this.minLength, this.minLength);
    this.#base64 = base64Forms(this.#key);
    for (const form of [this.#key, ...this.#base64]) this.#learnPairs(form);
    this.firstBytes = [this.#key[0] ?? 0, this.#key[1] ?? 0];
    this.#longest = Math.max(length, ...this.#base64.map((form) => form.length)) - 1;
    for (const opener of [this.#key[0] ?? 0, BACKSLASH, PERCENT, AMPERSAND]) this.#openers[opener] = 1;
    for (const form of this.#base64) this.#openers[form[0] ?? 0] = 1;
    this.#entities = entitiesOf(`&${key}`);
    const escaped = ESCAPABLE.filter((character) => key.includes(character));
    this.#escapes = [ESCAPE, ...escaped.map((character) => Buffer.from(`\\${character}`))];
  }

  /** Number of characters. */
  get length(): number {
    return this.#key.length;
  }

  /**
   * Whether the bytes may contain an encoded character of a quote. Cached, because it is called twice for the same
   * bytes.
   */
  mayContain(bytes: Buffer): boolean {
    if (bytes !== this.#searched) {
      this.#searched = bytes;
      const hasEscape = this.#escapes.some((written) => bytes.indexOf(written) !== -1);
      this.#mayBeSpelt = hasEscape || bytes.indexOf(PERCENT) !== -1 || this.#hasEntity(bytes);
    }
    return this.#mayBeSpelt;
  }

  /** Whether a quote may begin with this byte. */
  opens(byte: number): boolean {
    return this.#openers[byte] === 1;
  }

  /** Whether the rest of the key, after its first `first` characters, may begin with this byte. */
  opensAfter(first: number, byte: number): boolean {
    return byte === this.#key[first] || SPELT.has(byte);
  }

  /**
   * Whether the bytes may contain a quote. A quote without encoded characters is at least {@link minLength} bytes long, so
   * it is sufficient to sample the bytes at that distance and check whether they could be part of a quote. Most texts
   * need no other check.
   */
  isSuspect(bytes: Buffer): boolean {
    const pairs = this.#pairs;
    const step = this.minLength - SAMPLED_PAIRS;
    for (let at = 0; at + SAMPLED_PAIRS < bytes.length; at += step) {
      let next = at;
      while (next < at + SAMPLED_PAIRS && pairs[((bytes[next] ?? 0) << 8) | (bytes[next + 1] ?? 0)] === 1) next += 1;
      if (next === at + SAMPLED_PAIRS) return true;
    }
    return this.mayContain(bytes);
  }

  #learnPairs(form: Buffer): void {
    for (let at = 1; at < form.length; at += 1) this.#pairs[((form[at - 1] ?? 0) << 8) | (form[at] ?? 0)] = 1;
  }

  /** Returns all quotes in order. */
  find(bytes: Buffer): Quote[] {
    const quotes: Quote[] = [];
    for (let at = 0; at < bytes.length; at += 1) {
      const end = this.#openers[bytes[at] ?? 0] === 1 ? this.#endOfQuote(bytes, at) : NONE;
      if (end <= at) continue;
      quotes.push({ start: at, end });
      at = end - 1;
    }
    return joined([...quotes, ...this.#withoutBeginning(bytes)]);
  }

  /** Returns where the possible beginning of a quote at the end of the bytes starts, or -1 if there is none. */
  beginningAtEnd(bytes: Buffer): number {
    // Every event of a stream ends with a line feed.
    if (bytes[bytes.length - 1] === LINE_FEED) return NONE;
    const tail = Math.max(0, bytes.length - this.#longest);
    // Characters before the first encoded one may be literal.
    const spelling = this.#firstSpelling(bytes);
    const first = spelling === NONE ? tail : Math.min(tail, Math.max(0, spelling - this.#key.length));
    for (let at = first; at < bytes.length; at += 1) {
      if (this.#openers[bytes[at] ?? 0] === 1 && this.#isCutOff(bytes, at)) return at;
    }
    return NONE;
  }

  /**
   * Returns the position of the first possible encoded character that is close enough to the end, or -1 if there is
   * none.
   */
  #firstSpelling(bytes: Buffer): number {
    const from = Math.max(0, bytes.length - this.#key.length * MAX_SPELLING_LENGTH);
    for (let at = from; at < bytes.length; at += 1) if (SPELT_BYTES[bytes[at] ?? 0] === 1) return at;
    return NONE;
  }

  /** Returns the end of the quote that begins here, or a value of at most `at` if none does. */
  #endOfQuote(bytes: Buffer, at: number): number {
    const { count, end } = this.match(bytes, at);
    if (count >= this.minLength) return end;
    const form = this.#base64.find((each) => occursAt(bytes, at, each));
    return form === undefined ? NONE : at + form.length;
  }

  /** Counts how many characters of the key match from here on, after its first `first` characters. */
  match(bytes: Buffer, at: number, first = 0): Match {
    let [count, end] = [0, at];
    while (first + count < this.#key.length) {
      if (end >= bytes.length) return { count, end, isCutOff: true };
      const code = this.#read(bytes, end);
      if (code !== this.#key[first + count]) return { count, end, isCutOff: code === UNFINISHED };
      end = this.#next;
      count += 1;
    }
    return { count, end, isCutOff: false };
  }

  #isCutOff(bytes: Buffer, at: number): boolean {
    const isSpelt = SPELT.has(bytes[at] ?? 0) || bytes[at] === this.#key[0];
    if (isSpelt && this.match(bytes, at).isCutOff) return true;
    return this.#base64.some((form) => endsWithin(bytes, at, form));
  }

  /** Finds quotes of a key whose beginning was cut off. Only literal characters are found. */
  #withoutBeginning(bytes: Buffer): Quote[] {
    const quotes: Quote[] = [];
    const before = this.#key.indexOf(this.core);
    for (let core = bytes.indexOf(this.core); core !== -1; core = bytes.indexOf(this.core, core + 1)) {
      let [start, end] = [core, core + this.core.length];
      let [first, last] = [before, before + this.core.length];
      while (first > 0 && start > 0 && bytes[start - 1] === this.#key[first - 1])
        [start, first] = [start - 1, first - 1];
      while (last < this.#key.length && bytes[end] === this.#key[last]) [end, last] = [end + 1, last + 1];
      if (end - start >= this.minLength) quotes.push({ start, end });
    }
    return quotes;
  }

  /** Decodes the character at this position and sets {@link #next} to the position after it. */
  #read(bytes: Buffer, at: number): number {
    const byte = bytes[at] ?? 0;
    this.#next = at + 1;
    switch (byte) {
      case BACKSLASH:
        return this.#readEscape(bytes, at);
      case PERCENT:
        return this.#readPercent(bytes, at);
      case AMPERSAND:
        return this.#readEntity(bytes, at);
      default:
        return byte;
    }
  }

  #readEscape(bytes: Buffer, at: number): number {
    let letter = at + 1;
    while (letter < at + MAX_BACKSLASHES && bytes[letter] === BACKSLASH) letter += 1;
    if (letter >= bytes.length) return UNFINISHED;
    if (bytes[letter] === SMALL_U) return this.#readHex(bytes, letter + 1, 4);
    if (bytes[letter] === SMALL_X) return this.#readHex(bytes, letter + 1, 2);
    this.#next = letter + 1;
    return bytes[letter] ?? NONE;
  }

  /** Each level of URL encoding also encodes the percent signs. */
  #readPercent(bytes: Buffer, at: number): number {
    let digits = at + 1;
    while (digits < at + 2 * MAX_ADDRESSES && bytes[digits] === DIGIT_2 && bytes[digits + 1] === DIGIT_5) digits += 2;
    return this.#readHex(bytes, digits, 2);
  }

  #readHex(bytes: Buffer, at: number, digits: number): number {
    let code = 0;
    for (let place = at; place < at + digits; place += 1) {
      if (place >= bytes.length) return UNFINISHED;
      const digit = hexDigit(bytes[place] ?? 0);
      if (digit === NONE) return NONE;
      code = code * 16 + digit;
    }
    this.#next = at + digits;
    return code;
  }

  /** Reads an entity. One for the ampersand may begin another entity. */
  #readEntity(bytes: Buffer, at: number, pages = 1): number {
    if (at + 1 >= bytes.length) return UNFINISHED;
    const code = bytes[at + 1] === HASH ? this.#readNumber(bytes, at) : this.#readName(bytes, at + 1);
    if (code !== AMPERSAND || pages === MAX_PAGES) return code;
    const end = this.#next;
    const inner = this.#readEntity(bytes, end - 1, pages + 1);
    if (inner === NONE) this.#next = end;
    return inner === NONE ? code : inner;
  }

  #readName(bytes: Buffer, at: number): number {
    for (const { name, code } of this.#entities) {
      if (occursAt(bytes, at, name)) {
        this.#next = at + name.length;
        return code;
      }
      if (endsWithin(bytes, at, name)) return UNFINISHED;
    }
    return NONE;
  }

  #hasEntity(bytes: Buffer): boolean {
    const first = bytes.indexOf(AMPERSAND);
    if (first === -1) return false;
    return bytes.indexOf(NUMBER, first) !== -1 || this.#entities.some(({ name }) => bytes.indexOf(name, first) !== -1);
  }

  #readNumber(bytes: Buffer, at: number): number {
    const isHex = ((bytes[at + 2] ?? 0) | 0x20) === SMALL_X;
    const first = at + (isHex ? 3 : 2);
    let code = 0;
    for (let place = first; place <= first + MAX_ENTITY_DIGITS; place += 1) {
      if (place >= bytes.length) return UNFINISHED;
      if (bytes[place] === SEMICOLON && place > first) {
        this.#next = place + 1;
        return code;
      }
      const digit = hexDigit(bytes[place] ?? 0);
      if (digit === NONE || (digit > 9 && !isHex)) {
        // Browsers accept entities without a semicolon.
        this.#next = place;
        return place > first ? code : NONE;
      }
      code = code * (isHex ? 16 : 10) + digit;
    }
    return NONE;
  }
}

/** Whether the form is at this position. A view of the bytes for each comparison would cost many times as much. */
function occursAt(bytes: Buffer, at: number, form: Buffer): boolean {
  for (let place = 0; place < form.length; place += 1) if (bytes[at + place] !== form[place]) return false;
  return true;
}

/** Whether the bytes from here to the end are an incomplete beginning of the form. */
function endsWithin(bytes: Buffer, at: number, form: Buffer): boolean {
  const length = bytes.length - at;
  if (length >= form.length) return false;
  for (let place = 0; place < length; place += 1) if (bytes[at + place] !== form[place]) return false;
  return true;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : NONE;
}

/** Omits the characters at both ends, which depend on the bytes next to the key. */
function base64Forms(key: Buffer): Buffer[] {
  const forms = [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), key]);
    const start = Math.ceil((before * 8) / 6);
    const end = Math.floor((text.length * 8) / 6);
    return (['base64', 'base64url'] as const).map((spelling) => text.toString(spelling).slice(start, end));
  });
  return distinct(forms.map((form) => Buffer.from(form)));
}

function distinct(texts: readonly Buffer[]): Buffer[] {
  return [...new Set(texts.map((text) => text.toString('latin1')))].map((text) => Buffer.from(text, 'latin1'));
}

/** Sorts quotes and merges those that overlap. */
function joined(quotes: Quote[]): Quote[] {
  const result: Quote[] = [];
  for (const quote of quotes.sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || quote.start >= last.end) result.push(quote);
    else result[result.length - 1] = { start: last.start, end: Math.max(last.end, quote.end) };
  }
  return result;
}
