import {
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COLON,
  COMMA,
  endOfRest,
  endOfString,
  MAX_OUTER_MEMBERS,
  MAX_OUTSIDE_BYTES,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
  SPACE,
} from './jsonMeasure.ts';

/** A member of the outermost object. Positions are byte offsets from the beginning. `end` is after the value. */
export interface FoundMember {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const NOTHING = Buffer.alloc(0);
/** So many bytes of a string are passed one by one, as bytes outside of strings are. */
const WALKED_OF_STRING = 48;

/** Maximum number of bytes that are kept of a name or a requested value. */
const MAX_KEPT = 4 * 1024;

/**
 * Finds the members of a JSON object in its bytes, which may arrive in pieces, without parsing the values. Long strings
 * are skipped with the native search, so that a long prompt takes very little time. Does not check whether the bytes
 * are JSON. Ends after as many members, or bytes outside of strings, as a request may have at most.
 */
export class ObjectScanner {
  readonly members: FoundMember[] = [];
  /** The position of the brace that closes the object. */
  closedAt: number | undefined;
  /** The requested values, as written in the bytes. */
  readonly values = new Map<string, string>();
  readonly #wanted: ReadonlySet<string>;
  /** Number of bytes of the earlier pieces. */
  #seen = 0;
  #walked = 0;
  #depth = 0;
  #isInString = false;
  /** Whether the earlier pieces end with the backslash of an escaped character. */
  #isEscaped = false;
  #place: 'key' | 'colon' | 'value' = 'key';
  #name = '';
  /** Start of the key or value that is being read. -1 if there is none. */
  #start = -1;
  /** The position after the last byte of it that is not white space. */
  #end = -1;
  /** The part of it in the earlier pieces, if it is kept. */
  #kept: Buffer | undefined;

  /** @param wanted names of members whose values are kept. Intended for short values. */
  constructor(wanted: ReadonlySet<string> = new Set()) {
    this.#wanted = wanted;
  }

  push(bytes: Buffer): void {
    let depth = this.#depth;
    let walked = this.#walked;
    let at = this.#isInString ? this.#passString(bytes, 0, depth) : 0;
    const { length } = this.closedAt === undefined ? bytes : NOTHING;
    for (; at < length && walked < MAX_OUTSIDE_BYTES; at++) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) {
        const start = at;
        const end = depth > 1 ? endOfString(bytes, at) : length;
        if (end < length) at = end;
        else {
          if (depth === 1) this.#begin(at);
          at = this.#passString(bytes, at, depth) - 1;
        }
        // The native search passes the rest of a long string in no time.
        walked += Math.min(at - start, WALKED_OF_STRING);
        continue;
      }
      walked++;
      if (byte <= SPACE) continue;
      if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
        if (depth === 1) this.#begin(at);
        depth++;
      } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
        depth--;
        if (depth === 1) this.#end = this.#seen + at + 1;
        if (depth <= 0) {
          this.#endMember(bytes);
          this.closedAt = this.#seen + at;
          break;
        }
      } else if (depth === 1) {
        this.#readOuter(bytes, at, byte);
        if (this.members.length > MAX_OUTER_MEMBERS) walked = MAX_OUTSIDE_BYTES;
      }
    }
    if (this.#kept !== undefined) this.#kept = this.#keptUpTo(bytes, bytes.length);
    this.#depth = depth;
    this.#walked = walked;
    this.#seen += bytes.length;
  }

  /** Reads a separator, or a byte of a number or a literal. */
  #readOuter(bytes: Buffer, at: number, byte: number): void {
    if (byte === COMMA) this.#endMember(bytes);
    else if (byte !== COLON) {
      if (this.#place === 'value') this.#begin(at);
      this.#end = this.#seen + at + 1;
    } else if (this.#place === 'colon') this.#place = 'value';
  }

  /** Begins a key or a value, unless one has already begun. */
  #begin(at: number): void {
    if (this.#start !== -1 || this.#place === 'colon') return;
    this.#start = this.#seen + at;
    this.#kept = this.#place === 'key' || this.#wanted.has(this.#name) ? NOTHING : undefined;
  }

  /**
   * Passes a string, or the rest of one.
   * @param from the opening quote, or 0 for the rest of a string.
   * @returns where to continue.
   */
  #passString(bytes: Buffer, from: number, depth: number): number {
    let quote = this.#isInString ? endOfRest(bytes, this.#isEscaped ? 1 : 0) : endOfString(bytes, from);
    if (quote >= bytes.length && !this.#isInString) quote = endOfRest(bytes, from + 1);
    this.#isInString = quote >= bytes.length;
    this.#isEscaped = quote > bytes.length;
    if (this.#isInString) return bytes.length;
    if (depth === 1) this.#end = this.#seen + quote + 1;
    if (depth === 1 && this.#place === 'key') this.#endKey(bytes);
    return quote + 1;
  }

  #endKey(bytes: Buffer): void {
    this.#name = readName(this.#keptUpTo(bytes, this.#end - this.#seen).toString());
    this.#place = 'colon';
    this.#forget();
  }

  #endMember(bytes: Buffer): void {
    if (this.#start !== -1 && this.#place === 'value') {
      this.members.push({ name: this.#name, start: this.#start, end: this.#end });
      if (this.#kept !== undefined)
        this.values.set(this.#name, this.#keptUpTo(bytes, this.#end - this.#seen).toString());
    }
    this.#place = 'key';
    this.#forget();
  }

  #forget(): void {
    this.#start = -1;
    this.#kept = undefined;
  }

  /** Returns what is kept, including these bytes up to a position, which is negative in an earlier piece. */
  #keptUpTo(bytes: Buffer, end: number): Buffer {
    const kept = this.#kept ?? NOTHING;
    const length = Math.min(MAX_KEPT, end + this.#seen - this.#start);
    if (length <= kept.length) return kept.subarray(0, length);
    const start = Math.max(0, this.#start - this.#seen);
    return Buffer.concat([kept, bytes.subarray(start, start + length - kept.length)]);
  }
}

function readName(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
