import type { Quote, QuotedKey } from './quotedKey.ts';

/** Texts of these members are names of things, which come with every event. */
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
/** Of names of things, in bytes. */
const MAX_NAME_LENGTH = 200;

/** The beginning of the key, at the end of a text. */
export interface Beginning extends Quote {
  /** Characters of the key. */
  readonly count: number;
}

/** Finds the texts in JSON that end with the beginning of the key, one after the other. */
export class KeyBeginnings {
  readonly #key: QuotedKey;
  readonly #bytes: Buffer;
  readonly #maySpell: boolean;

  constructor(key: QuotedKey, bytes: Buffer) {
    this.#key = key;
    this.#bytes = bytes;
    this.#maySpell = key.maySpell(bytes);
  }

  /** The first one from there on. */
  next(from: number): Beginning | undefined {
    for (let start = this.#place(from); start !== -1; start = this.#place(start + 1)) {
      const { count, end } = this.#match(start);
      // The name of a member ends like a text.
      const isEnd = count > 0 && this.#bytes[end] === QUOTATION_MARK && this.#bytes[end + 1] !== COLON;
      if (isEnd && !isOfName(this.#bytes, start)) return { start, end, count };
    }
    return undefined;
  }

  /** How much of the key is there. Most texts that end with its first character end with no more. */
  #match(start: number): Omit<Beginning, 'start'> {
    const isSingle = !this.#maySpell && this.#bytes[start + 1] === QUOTATION_MARK;
    return isSingle ? { count: 1, end: start + 1 } : this.#key.match(this.#bytes, start);
  }

  /** Where one may begin; -1 if nowhere. */
  #place(from: number): number {
    const bytes = this.#bytes;
    if (this.#maySpell) {
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

/** Whether the text that has something at this place is the name of a thing. */
function isOfName(bytes: Buffer, place: number): boolean {
  const opening = markBefore(bytes, place);
  let end = opening - 1;
  while (end > 0 && (bytes[end] === SPACE || bytes[end] === COLON)) end -= 1;
  const start = bytes[end] === QUOTATION_MARK && end < opening - 1 ? markBefore(bytes, end) : -1;
  const names = start === -1 ? undefined : NAMES_BY_LENGTH.get(end - start - 1);
  return names?.some((name) => standsAt(bytes, start + 1, name)) === true;
}

function standsAt(bytes: Buffer, at: number, text: Buffer): boolean {
  for (let nth = 0; nth < text.length; nth += 1) if (bytes[at + nth] !== text[nth]) return false;
  return true;
}

/** The quotation mark before this place that no backslash spells; -1 if it is too far away for a name. */
function markBefore(bytes: Buffer, place: number): number {
  for (let at = place - 1; at >= Math.max(0, place - MAX_NAME_LENGTH); at -= 1) {
    if (bytes[at] === QUOTATION_MARK && bytes[at - 1] !== BACKSLASH) return at;
  }
  return -1;
}
