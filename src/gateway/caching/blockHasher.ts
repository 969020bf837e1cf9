import { hash, randomBytes } from 'node:crypto';

const KEY_BYTES = 16;

/** Texts whose masked hash is remembered. */
const MAX_REMEMBERED = 500;

/** Longer texts count as they are: masking them takes several milliseconds for each such length. */
const MAX_MASKED_BYTES = 512 * 1024;

/** Hexadecimal digits that are kept of a hash, which fit into the 53 bits of a whole number. */
const HASH_DIGITS = 13;
/** Room for most texts: it is cheaper to copy them there than to make an object that hashes piece by piece. */
const ROOM_BYTES = 64 * 1024;

/** Weekdays and months, and what differs from one request to the next: dates, ids, and numbers. */
const VOLATILE =
  /\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b|\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b|\b[\da-f]{4,}(?:-[\da-f]{4,})+\b|\b(?=[a-f]*\d)[\da-f]{8,}\b|\d+/gi;

/** Hashes with a key that only this process knows, so that nobody can look up what was hashed. */
export class BlockHasher {
  readonly #key = randomBytes(KEY_BYTES);
  /** Begins with the key. */
  readonly #room = Buffer.concat([this.#key], ROOM_BYTES);
  /** By the hashes of the texts. */
  readonly #masked = new Map<number, number>();

  hash(...pieces: readonly Uint8Array[]): number {
    return Number.parseInt(hash('sha256', this.#gathered(pieces)).slice(0, HASH_DIGITS), 16);
  }

  /** The same hash for texts that differ only in dates, ids, and numbers. Most texts come again and again. */
  maskedHash(text: Buffer): number {
    const plain = this.hash(text);
    const known = this.#masked.get(plain);
    if (known !== undefined) return known;
    if (text.length > MAX_MASKED_BYTES) return plain;
    const masked = this.hash(Buffer.from(text.toString('latin1').replaceAll(VOLATILE, '#'), 'latin1'));
    if (this.#masked.size >= MAX_REMEMBERED) this.#masked.clear();
    this.#masked.set(plain, masked);
    return masked;
  }

  /** The key and the pieces. */
  #gathered(pieces: readonly Uint8Array[]): Uint8Array {
    let size = KEY_BYTES;
    for (const piece of pieces) size += piece.length;
    if (size > ROOM_BYTES) return Buffer.concat([this.#key, ...pieces], size);
    let end = KEY_BYTES;
    for (const piece of pieces) {
      this.#room.set(piece, end);
      end += piece.length;
    }
    return this.#room.subarray(0, size);
  }
}
