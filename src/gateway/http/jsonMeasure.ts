/**
 * Programs nest JSON some dozen levels deep. Whoever walks through it by recursion runs out of stack at some thousand,
 * and each at another one; so there is one limit, before anybody walks.
 */
export const MAX_DEPTH = 500;

/**
 * Values in one body, each member of an object as two. What reads a request takes some microseconds for each, in which
 * nobody else is served. The longest conversations of agents, with hundreds of tools, have some tens of thousands.
 */
export const MAX_VALUES = 250_000;

/** Requests have some tens of members, of which each name that is not known is told in the record. */
const MAX_OUTER_MEMBERS = 1_000;

/** Bytes of all names, which are hashed when JSON is parsed. Requests of agents have some ten thousands. */
const MAX_NAME_BYTES = 4 * 1024 * 1024;

/** Numbers and white space are walked through byte by byte, while strings are skipped by the machine's own search. */
export const MAX_OUTSIDE_BYTES = 8 * 1024 * 1024;

export type Excess = 'depth' | 'values' | 'outerMembers' | 'names' | 'outside';

/** What is said of it after its name. */
export const EXCESSES: Readonly<Record<Excess, string>> = {
  depth: `is nested too deep: ${MAX_DEPTH} levels at most.`,
  values: `has too many values: ${MAX_VALUES} at most, each member of an object as two.`,
  outerMembers: `has too many members: ${MAX_OUTER_MEMBERS} at most.`,
  names: `has too long names of members: ${MAX_NAME_BYTES} bytes at most in all.`,
  outside: `has too much between its strings: ${MAX_OUTSIDE_BYTES} bytes at most in all.`,
};

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPENING_BRACKET, OPENING_BRACE, CLOSING_BRACKET, CLOSING_BRACE] = [0x5b, 0x7b, 0x5d, 0x7d];

/** One pass over the bytes of a text, if it is JSON, which ends where there is too much of something. */
export class JsonMeasure {
  excess: Excess | undefined;
  /** Of all objects, as they are written: those that come twice count twice. */
  members = 0;
  values = 1;
  readonly #bytes: Buffer;
  #at = 0;
  #depth = 0;
  #outerMembers = 0;
  #nameBytes = 0;
  #stringBytes = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isDone(): boolean {
    return this.excess !== undefined || this.#at >= this.#bytes.length;
  }

  /** Goes on for so many bytes and to the end of a string there. */
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
    return this;
  }

  #noteMember(depth: number, nameBytes: number): void {
    this.members++;
    this.#nameBytes += nameBytes;
    if (depth === 1) this.#outerMembers++;
    if (this.#outerMembers > MAX_OUTER_MEMBERS) this.excess = 'outerMembers';
    else if (this.#nameBytes > MAX_NAME_BYTES) this.excess = 'names';
  }
}

/** Whether bytes, if they are JSON, are nested deeper than any program writes it. */
export function isTooDeep(bytes: Buffer): boolean {
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

/** Starting the native search costs as much as checking this many bytes. */
const SHORT_STRING = 48;
/** So many escaped quotes in so few bytes are dense: going byte by byte is faster than searching then. */
const DENSE = { quotes: 32, bytes: 256 };

/** The position of the quote that closes the string whose first quote is at `start`; behind all bytes without one. */
export function endOfString(bytes: Uint8Array, start: number): number {
  const limit = Math.min(bytes.length, start + SHORT_STRING);
  let at = start + 1;
  for (; at < limit; at++) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] === BACKSLASH) at++;
  }
  return endOfRest(bytes, at);
}

/** The same for the rest of a string, which does not begin behind a backslash that escapes what is there. */
export function endOfRest(bytes: Uint8Array, from: number): number {
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

/** Whether an odd number of backslashes stands before the position. */
function endsInEscape(bytes: Uint8Array, from: number, at: number): boolean {
  let before = at;
  while (before > from && bytes[before - 1] === BACKSLASH) before--;
  return (at - before) % 2 === 1;
}

/** @returns more than there are bytes where they end behind a backslash that escapes what follows. */
function endOfDenseString(bytes: Uint8Array, from: number): number {
  let at = from;
  for (; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at;
  }
  return at;
}
