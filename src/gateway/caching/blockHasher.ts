import { crc32 } from 'node:zlib';

/** Maximum number of texts whose masked hash is cached. */
const MAX_REMEMBERED = 500;

/** Longer texts are hashed unmasked, because masking takes several milliseconds per such length. */
const MAX_MASKED_BYTES = 512 * 1024;

/** The 32 bits of the checksum and 21 bits of the length fill the 53 bits of an exact integer. */
const LENGTHS = 2 ** 21;

/** Weekdays, months, dates, IDs, and numbers, which differ from one request to the next. */
const VOLATILE =
  /\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b|\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b|\b[\da-f]{4,}(?:-[\da-f]{4,})+\b|\b(?=[a-f]*\d)[\da-f]{8,}\b|\d+/gi;

/**
 * Identifies blocks by their checksum and length. A checksum takes a quarter of the time of a cryptographic hash. It is
 * sufficient because only blocks at the same position of two requests are compared, and no hash leaves the memory of
 * the process.
 */
export class BlockHasher {
  /** Masked hashes, by the hashes of the unmasked texts. */
  readonly #masked = new Map<number, number>();

  hash(...pieces: readonly Buffer[]): number {
    let [checksum, length] = [0, 0];
    for (const piece of pieces) {
      checksum = crc32(piece, checksum);
      length += piece.length;
    }
    return checksum * LENGTHS + (length % LENGTHS);
  }

  /**
   * Returns the same hash for texts that differ only in dates, IDs, and numbers. Results are cached, because most texts
   * recur.
   */
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
}
