import type { Quote, QuotedKey } from './quotedKey.ts';

/** Texts of these members are names of things, which come with every event. */
const NAMES: ReadonlySet<string> = new Set([
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
]);
const [QUOTATION_MARK, BACKSLASH, COLON, SPACE] = [0x22, 0x5c, 0x3a, 0x20] as const;
/** Of names of things, in bytes. */
const LONGEST_NAME = 200;
/** Up to here a look at each byte is the fastest. */
const SHORT_BYTES = 512;

/** The beginning of the key, at the end of a text. */
export interface Beginning extends Quote {
  /** Characters of the key. */
  readonly count: number;
}

/** Finds the texts in JSON that end with the beginning of the key, one after the other. */
export class KeyBeginnings {
  readonly #key: QuotedKey;
  readonly #bytes: Buffer;
  /** Where each of the key's openers stands next, if the machine's own searches are used: they know no spellings. */
  readonly #places: number[] | undefined;

  constructor(key: QuotedKey, bytes: Buffer, from: number) {
    this.#key = key;
    this.#bytes = bytes;
    if (bytes.length - from <= SHORT_BYTES || key.maySpell(bytes, from)) return;
    this.#places = key.textEnds.map((opener) => bytes.indexOf(opener, from));
  }

  /** The first one from there on, which is not before the last one that was found. */
  next(from: number): Beginning | undefined {
    for (let start = this.#place(from); start !== -1; start = this.#place(start + 1)) {
      const { count, end } = this.#key.match(this.#bytes, start);
      // The name of a member ends like a text.
      const isEnd = count > 0 && this.#bytes[end] === QUOTATION_MARK && this.#bytes[end + 1] !== COLON;
      if (isEnd && !NAMES.has(nameBefore(this.#bytes, start))) return { start, end, count };
    }
    return undefined;
  }

  /** Where one may begin; -1 if nowhere. */
  #place(from: number): number {
    if (this.#places !== undefined) return this.#searchedPlace(this.#places, from);
    for (let at = from; at < this.#bytes.length; at += 1) if (this.#key.opens(this.#bytes[at] ?? 0)) return at;
    return -1;
  }

  #searchedPlace(places: number[], from: number): number {
    let first = -1;
    for (const [nth, opener] of this.#key.textEnds.entries()) {
      let place = places[nth] ?? -1;
      if (place !== -1 && place < from) {
        place = this.#bytes.indexOf(opener, from);
        places[nth] = place;
      }
      if (place !== -1 && (first === -1 || place < first)) first = place;
    }
    return first;
  }
}

/** The name of the member whose text has something at this place; empty if it is not among the bytes before. */
function nameBefore(bytes: Buffer, place: number): string {
  const opening = markBefore(bytes, place);
  let end = opening - 1;
  while (end > 0 && (bytes[end] === SPACE || bytes[end] === COLON)) end -= 1;
  const start = bytes[end] === QUOTATION_MARK && end < opening - 1 ? markBefore(bytes, end) : -1;
  return start === -1 ? '' : bytes.toString('latin1', start + 1, end);
}

/** The quotation mark before this place that no backslash spells; -1 if it is too far away for a name. */
function markBefore(bytes: Buffer, place: number): number {
  for (let at = place - 1; at >= Math.max(0, place - LONGEST_NAME); at -= 1) {
    if (bytes[at] === QUOTATION_MARK && bytes[at - 1] !== BACKSLASH) return at;
  }
  return -1;
}
