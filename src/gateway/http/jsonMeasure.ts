/** Limits of JSON in requests. Below them, a request is read in steps that do not delay other requests noticeably. */

/** Programs nest JSON some dozen levels. Recursive functions run out of stack at some thousand. */
export const MAX_DEPTH = 500;

/**
 * Maximum number of values. A member of an object counts as two. Reading a value takes some microseconds. The longest
 * conversations of agents, with hundreds of tools, have some ten thousand.
 */
export const MAX_VALUES = 250_000;

/** Requests have about twenty members. The name of each unknown one is in the record. */
export const MAX_OUTER_MEMBERS = 1_000;

/** Maximum length of all names together, which are hashed when JSON is parsed. Requests of agents have some 10 KB. */
const MAX_NAME_BYTES = 4 * 1024 * 1024;

/** Numbers and white space are read byte by byte. Strings are skipped by a native search. */
export const MAX_OUTSIDE_BYTES = 8 * 1024 * 1024;

/** Decoding an escaped character takes as long as decoding some ten others. All are decoded in one step. */
const MAX_ESCAPES = 4 * 1024 * 1024;

export type Excess = 'depth' | 'values' | 'outerMembers' | 'names' | 'outside' | 'escapes';

/** Continues a sentence that begins with what contains the JSON. */
export const EXCESSES: Readonly<Record<Excess, string>> = {
  depth: `is nested too deeply. The limit is ${MAX_DEPTH} levels.`,
  values: `has too many values. The limit is ${MAX_VALUES}, and each member of an object counts as two.`,
  outerMembers: `has too many members. The limit is ${MAX_OUTER_MEMBERS}.`,
  names: `has member names that are too long. The limit is ${MAX_NAME_BYTES} bytes for all names together.`,
  outside: `has too many bytes outside of strings. The limit is ${MAX_OUTSIDE_BYTES}.`,
  escapes: `has too many escaped characters. The limit is ${MAX_ESCAPES}.`,
};

/** The bytes that readers of JSON look for. */
export const [SPACE, QUOTE, BACKSLASH, COMMA, COLON] = [0x20, 0x22, 0x5c, 0x2c, 0x3a] as const;
export const [OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d] as const;

/** Measures the bytes of a text that may be JSON. Ends as soon as a limit is exceeded. */
export class JsonMeasure {
  excess: Excess | undefined;
  /** The number of members of all objects, with duplicates. */
  members = 0;
  values = 1;
  readonly #bytes: Buffer;
  #at = 0;
  #depth = 0;
  #outerMembers = 0;
  #nameBytes = 0;
  #stringBytes = 0;
  #escapes = 0;
  /** Escapes are counted up to this position. */
  #countedTo: number;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    const mayHaveTooMany = bytes.length > 2 * MAX_ESCAPES;
    this.#countedTo = mayHaveTooMany ? 0 : bytes.length;
  }

  get isDone(): boolean {
    return this.excess !== undefined || Math.min(this.#at, this.#countedTo) >= this.#bytes.length;
  }

  /** Continues for `length` bytes. A string is passed as a whole, except for its escapes. */
  pass(length = Number.POSITIVE_INFINITY): this {
    const bytes = this.#bytes;
    const end = Math.min(bytes.length, this.#at + length);
    let [at, depth, values, stringBytes, nameBytes] = [this.#at, this.#depth, this.values, 0, 0];
    for (; at < end && this.excess === undefined; at++) {
      switch (bytes[at]) {
        case QUOTE:
          nameBytes = at;
          at = endOfString(bytes, at);
          nameBytes = at - nameBytes;
          stringBytes += nameBytes;
          break;
        case OPENING_BRACKET:
        case OPENING_BRACE:
          depth++;
          values++;
          if (depth > MAX_DEPTH) this.excess = 'depth';
          break;
        case CLOSING_BRACKET:
        case CLOSING_BRACE:
          depth--;
          break;
        case COMMA:
          values++;
          if (values > MAX_VALUES) this.excess = 'values';
          break;
        case COLON:
          values++;
          this.#noteMember(depth, nameBytes);
          break;
      }
    }
    [this.#at, this.#depth, this.values] = [at, depth, values];
    this.#stringBytes += stringBytes;
    if (at - this.#stringBytes > MAX_OUTSIDE_BYTES) this.excess ??= 'outside';
    this.#countEscapes(length);
    return this;
  }

  /** Counts those of `length` further bytes. JSON has backslashes only in strings. */
  #countEscapes(length: number): void {
    const bytes = this.#bytes.subarray(0, this.#countedTo + length);
    let at = this.#countedTo;
    if (!bytes.includes(BACKSLASH, at)) at = bytes.length;
    let escapes = 0;
    for (; at < bytes.length; at++) {
      if (bytes[at] !== BACKSLASH) continue;
      escapes++;
      at++;
    }
    this.#countedTo = at;
    this.#escapes += escapes;
    if (this.#escapes > MAX_ESCAPES) this.excess ??= 'escapes';
  }

  #noteMember(depth: number, nameBytes: number): void {
    this.members++;
    this.#nameBytes += nameBytes;
    if (depth === 1) this.#outerMembers++;
    if (this.#outerMembers > MAX_OUTER_MEMBERS) this.excess = 'outerMembers';
    else if (this.#nameBytes > MAX_NAME_BYTES) this.excess = 'names';
  }
}

/** Whether JSON has so few values that it exceeds no limit. Counts the signs of values, also those within strings. */
export function hasFewValues(bytes: Buffer): boolean {
  if (bytes.length <= MAX_DEPTH) return true;
  let [openings, colons] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === COLON) colons++;
    else if (byte === OPENING_BRACKET || byte === OPENING_BRACE) openings++;
  }
  return openings <= MAX_DEPTH && colons <= MAX_OUTER_MEMBERS;
}

/** Whether a text that may be JSON is nested deeper than the limit. */
export function isTooDeep(bytes: Buffer): boolean {
  if (bytes.length <= SHORT_BYTES && hasFewValues(bytes)) return false;
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === OPENING_BRACKET || byte === OPENING_BRACE) depth++;
    else if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** Up to this length, a simple loop over all bytes is faster than finding the strings in between. */
const SHORT_BYTES = 4 * 1024;

/** Starting the native search takes as long as checking this many bytes. */
const SHORT_STRING = 48;
/** With this many escaped quotes in this many bytes, going byte by byte is faster than searching. */
const DENSE = { quotes: 32, bytes: 256 };

/** Returns the position of the quote that closes the string at `start`, or a position after all bytes. */
export function endOfString(bytes: Buffer, start: number): number {
  const limit = Math.min(bytes.length, start + SHORT_STRING);
  let at = start + 1;
  for (; at < limit; at++) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] === BACKSLASH) at++;
  }
  return endOfRest(bytes, at);
}

/** Returns the same for the rest of a string. The byte before `from` must not be a backslash that escapes it. */
export function endOfRest(bytes: Buffer, from: number): number {
  let [at, sampled] = [from, from];
  for (let escaped = 1; ; escaped++) {
    const quote = bytes.indexOf(QUOTE, at);
    const end = quote === -1 ? bytes.length : quote;
    const isEscaped = endsInEscape(bytes, at, end);
    if (quote === -1) return isEscaped ? end + 1 : end;
    if (!isEscaped) return quote;
    at = quote + 1;
    if (escaped % DENSE.quotes !== 0) continue;
    if (at - sampled < DENSE.bytes) return endOfDenseString(bytes, at);
    sampled = at;
  }
}

/** Returns the position of the first byte from here on that is not white space. */
export function firstVisible(bytes: Buffer, from = 0): number {
  let at = from;
  while ((bytes[at] ?? SPACE + 1) <= SPACE) at += 1;
  return at;
}

/** Whether there is an odd number of backslashes before the position. */
function endsInEscape(bytes: Buffer, from: number, at: number): boolean {
  let before = at;
  while (before > from && bytes[before - 1] === BACKSLASH) before--;
  return (at - before) % 2 === 1;
}

/** @returns a position after all bytes if the string is not closed. */
function endOfDenseString(bytes: Buffer, from: number): number {
  let at = from;
  for (; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at;
  }
  return at;
}
