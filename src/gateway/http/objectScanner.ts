import { endOfRest, MAX_OUTER_MEMBERS, MAX_OUTSIDE_BYTES } from './jsonMeasure.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const BRACE = 0x7b;
const BRACKET = 0x5b;
const CLOSING_BRACE = 0x7d;
const CLOSING_BRACKET = 0x5d;

/** A member of the outermost object. Positions are byte offsets from the beginning. `end` is after the value. */
export interface FoundMember {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Maximum number of bytes that are kept of a name or a requested value. */
const MAX_KEPT = 4 * 1024;

/** The search ends after so many bytes outside of strings: no client sends so many, and others wait meanwhile. */
const MAX_WALKED = MAX_OUTSIDE_BYTES;

/**
 * Finds the members of a JSON object in its bytes, which may arrive in pieces, without parsing the values. Long strings
 * are skipped with the native search, so that a long prompt takes very little time. Does not check whether the bytes
 * are JSON.
 */
export class ObjectScanner {
  readonly members: FoundMember[] = [];
  /** The position of the brace that closes the object. */
  closedAt: number | undefined;
  /** The requested values, as written in the bytes. */
  readonly values = new Map<string, string>();
  readonly #wanted: ReadonlySet<string>;
  #seen = 0;
  #walked = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #place: 'key' | 'colon' | 'value' = 'key';
  #name = '';
  /** Start of the key or value that is being read. -1 if there is none. */
  #start = -1;
  /** The position after the last byte of the value that is not white space. */
  #end = -1;
  #kept: number[] | undefined;

  /** @param wanted names of members whose values are kept. Intended for short values. */
  constructor(wanted: ReadonlySet<string> = new Set()) {
    this.#wanted = wanted;
  }

  push(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length && this.closedAt === undefined && !this.#isTooMuch) {
      if (this.#isInString) {
        at = this.#skip(bytes, at);
        continue;
      }
      const from = at;
      at = this.#depth > 1 ? this.#skipNested(bytes, at) : this.#step(bytes, at);
      this.#walked += at - from;
    }
    this.#seen += bytes.length;
  }

  /** More members than this are not parsed either. A million of them would take a second. */
  get #isTooMuch(): boolean {
    return this.#walked >= MAX_WALKED || this.members.length > MAX_OUTER_MEMBERS;
  }

  /**
   * Skips the content of a nested value, up to its end or to a long string.
   * @returns where to continue.
   */
  #skipNested(bytes: Buffer, from: number): number {
    let depth = this.#depth;
    let at = from;
    const limit = Math.min(bytes.length, from + MAX_WALKED);
    while (at < limit && depth > 1) {
      const byte = bytes[at];
      if (byte === QUOTE) {
        const end = endOfShortString(bytes, at);
        if (end === -1) {
          this.#isInString = true;
          at += 1;
          break;
        }
        at = end;
      } else if (byte === BRACE || byte === BRACKET) depth += 1;
      else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) depth -= 1;
      at += 1;
    }
    this.#depth = depth;
    this.#end = this.#seen + at;
    this.#keep(bytes, from, at);
    return at;
  }

  /**
   * Reads one byte outside of strings.
   * @returns where to continue.
   */
  #step(bytes: Buffer, at: number): number {
    const byte = bytes[at] ?? 0;
    if (isSpace(byte)) return behindSpaces(bytes, at + 1);
    if (byte === QUOTE) this.#openString(at);
    else if (byte === BRACE || byte === BRACKET) this.#open(at);
    else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) this.#close(at);
    else if (this.#depth === 1 && byte === COMMA) this.#endMember();
    else if (this.#depth === 1 && byte === COLON && this.#place === 'colon') this.#place = 'value';
    else return this.#passPlain(bytes, at);
    this.#keep(bytes, at, at + 1);
    if (this.#start !== -1) this.#end = this.#seen + at + 1;
    return at + 1;
  }

  /**
   * Reads a number or a literal.
   * @returns where to continue.
   */
  #passPlain(bytes: Buffer, at: number): number {
    this.#begin(at);
    let end = at + 1;
    while (end < bytes.length && isPlain(bytes[end] ?? 0)) end += 1;
    this.#keep(bytes, at, end);
    if (this.#start !== -1) this.#end = this.#seen + end;
    return end;
  }

  #openString(at: number): void {
    this.#isInString = true;
    if (this.#depth === 1 && this.#place === 'key') {
      this.#start = this.#seen + at;
      this.#kept = [];
    } else this.#begin(at);
  }

  #open(at: number): void {
    if (this.#depth > 0) this.#begin(at);
    this.#depth += 1;
  }

  #close(at: number): void {
    this.#depth -= 1;
    if (this.#depth > 0) return;
    this.#endMember();
    this.closedAt = this.#seen + at;
  }

  /** Begins a value, unless one has already begun. */
  #begin(at: number): void {
    if (this.#depth !== 1 || this.#place !== 'value' || this.#start !== -1) return;
    this.#start = this.#seen + at;
    this.#kept = this.#wanted.has(this.#name) ? [] : undefined;
  }

  /**
   * Skips the rest of a string.
   * @returns where to continue.
   */
  #skip(bytes: Buffer, from: number): number {
    const quote = endOfRest(bytes, this.#isEscaped ? from + 1 : from);
    this.#isEscaped = quote > bytes.length;
    const next = Math.min(quote + 1, bytes.length);
    this.#keep(bytes, from, next);
    this.#end = this.#seen + next;
    if (quote < bytes.length) this.#endString();
    return next;
  }

  #endString(): void {
    this.#isInString = false;
    if (this.#depth !== 1 || this.#place !== 'key') return;
    this.#name = readName(Buffer.from(this.#kept ?? []).toString());
    this.#kept = undefined;
    this.#start = -1;
    this.#place = 'colon';
  }

  #endMember(): void {
    if (this.#start !== -1 && this.#place === 'value') {
      this.members.push({ name: this.#name, start: this.#start, end: this.#end });
      if (this.#kept !== undefined) this.values.set(this.#name, Buffer.from(this.#kept).toString());
    }
    this.#kept = undefined;
    this.#start = -1;
    this.#place = 'key';
  }

  #keep(bytes: Buffer, from: number, to: number): void {
    if (this.#kept === undefined) return;
    for (let at = from; at < to && this.#kept.length < MAX_KEPT; at++) this.#kept.push(bytes[at] ?? 0);
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function behindSpaces(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && isSpace(bytes[at] ?? 0)) at += 1;
  return at;
}

/** Whether a byte continues a number or a literal. */
function isPlain(byte: number): boolean {
  const isStructure = byte === BRACE || byte === BRACKET || byte === CLOSING_BRACE || byte === CLOSING_BRACKET;
  return !isStructure && byte !== QUOTE && byte !== COMMA && byte !== COLON && !isSpace(byte);
}

/** Starting the native search costs as much as checking this many bytes. */
const SHORT_STRING = 48;

/**
 * Returns the closing quote of the string whose opening quote is at `start`, or -1 if it is not among the next bytes.
 */
function endOfShortString(bytes: Buffer, start: number): number {
  const limit = Math.min(bytes.length, start + SHORT_STRING);
  for (let at = start + 1; at < limit; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  return -1;
}

function readName(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
