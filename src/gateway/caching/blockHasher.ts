import { createHash, randomBytes } from 'node:crypto';

const KEY_BYTES = 16;

/** Texts whose masked hash is remembered. */
const MAX_REMEMBERED = 500;

/** Bytes that are kept of a hash. */
export const HASH_BYTES = 8;

/** Weekdays and months, and what differs from one request to the next: dates, ids, and numbers. */
const VOLATILE =
  /\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b|\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b|\b[\da-f]{4,}(?:-[\da-f]{4,})+\b|\b(?=[a-f]*\d)[\da-f]{8,}\b|\d+/gi;

/** Hashes with a key that only this process knows, so that nobody can look up what was hashed. */
export class BlockHasher {
  readonly #key = randomBytes(KEY_BYTES);
  /** By the hashes of the texts. */
  readonly #masked = new Map<string, string>();

  hash(...pieces: readonly Uint8Array[]): Buffer {
    const hash = createHash('sha256').update(this.#key);
    for (const piece of pieces) hash.update(piece);
    return hash.digest().subarray(0, HASH_BYTES);
  }

  /** The same hash for texts that differ only in dates, ids, and numbers. Most texts come again and again. */
  maskedHash(text: Buffer): string {
    const plain = this.hash(text).toString('latin1');
    const known = this.#masked.get(plain);
    if (known !== undefined) return known;
    const masked = this.hash(Buffer.from(text.toString('latin1').replaceAll(VOLATILE, '#'), 'latin1')).toString(
      'latin1',
    );
    if (this.#masked.size >= MAX_REMEMBERED) this.#masked.clear();
    this.#masked.set(plain, masked);
    return masked;
  }
}
