import type { Quote, QuotedKey } from './quotedKey.ts';

/** Values of these members are identifiers, which occur in every event. */
const NAMES = [
  'id',
  'item_id',
  'message_id',
  'model',
  'object',
  'provider',
  'role',
  'service_tier',
  'system_fingerprint',
  'type',
].map((name) => Buffer.from(name));
const NAMES_BY_LENGTH = Map.groupBy(NAMES, ({ length }) => length);
const [QUOTATION_MARK, BACKSLASH, COLON, SPACE] = [0x22, 0x5c, 0x3a, 0x20] as const;
/** Maximum length of an identifier, in bytes. */
const MAX_NAME_LENGTH = 200;

/** The beginning of the key at the end of a string. */
export interface Beginning extends Quote {
  /** Number of characters of the key. */
  readonly count: number;
}

/** Finds, one after the other, the JSON strings that end with the beginning of the key. */
export class KeyBeginnings {
  readonly #key: QuotedKey;
  readonly #bytes: Buffer;
  readonly #mayContain: boolean;

  constructor(key: QuotedKey, bytes: Buffer) {
    this.#key = key;
    this.#bytes = bytes;
    this.#mayContain = key.mayContain(bytes);
  }

  /** Returns the first one at or after `from`. */
  next(from: number): Beginning | undefined {
    for (let start = this.#place(from); start !== -1; start = this.#place(start + 1)) {
      const { count, end } = this.#match(start);
      // The name of a member ends in the same way, but is followed by a colon.
      const isEnd = count > 0 && this.#bytes[end] === QUOTATION_MARK && this.#bytes[end + 1] !== COLON;
      if (isEnd && !isOfName(this.#bytes, start)) return { start, end, count };
    }
    return undefined;
  }

  /** Matches the key at this position. Most strings that end with its first character contain no more of it. */
  #match(start: number): Omit<Beginning, 'start'> {
    const isSingle = !this.#mayContain && this.#bytes[start + 1] === QUOTATION_MARK;
    return isSingle ? { count: 1, end: start + 1 } : this.#key.match(this.#bytes, start);
  }

  /** Returns the next position where one may begin, or -1. */
  #place(from: number): number {
    const bytes = this.#bytes;
    if (this.#mayContain) {
      for (let at = from; at < bytes.length; at += 1) if (this.#key.opens(bytes[at] ?? 0)) return at;
      return -1;
    }
    const [first, second] = this.#key.firstBytes;
    for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1)) {
      const next = bytes[at + 1];
      if (next === second || next === QUOTATION_MARK) return at;
    }
    return -1;
  }
}

/** Whether the string that contains this position is an identifier. */
function isOfName(bytes: Buffer, place: number): boolean {
  const opening = markBefore(bytes, place);
  let end = opening - 1;
  while (end > 0 && (bytes[end] === SPACE || bytes[end] === COLON)) end -= 1;
  const start = bytes[end] === QUOTATION_MARK && end < opening - 1 ? markBefore(bytes, end) : -1;
  const names = start === -1 ? undefined : NAMES_BY_LENGTH.get(end - start - 1);
  return names?.some((name) => occursAt(bytes, start + 1, name)) === true;
}

function occursAt(bytes: Buffer, at: number, text: Buffer): boolean {
  for (let nth = 0; nth < text.length; nth += 1) if (bytes[at + nth] !== text[nth]) return false;
  return true;
}

/**
 * Returns the position of the last unescaped quotation mark before `place`, or -1 if it is too far away for an
 * identifier.
 */
function markBefore(bytes: Buffer, place: number): number {
  for (let at = place - 1; at >= Math.max(0, place - MAX_NAME_LENGTH); at -= 1) {
    if (bytes[at] === QUOTATION_MARK && bytes[at - 1] !== BACKSLASH) return at;
  }
  return -1;
}
