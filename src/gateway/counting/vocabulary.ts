import { brotliDecompressSync } from 'node:zlib';

/**
 * The byte strings that a tokenizer knows, each with its rank. Tokens with a lower rank were learned earlier and are
 * merged first. Stored in four typed arrays, which take a tenth of the memory of a `Map` of strings.
 */
export class Vocabulary {
  readonly size: number;
  /** Bytes of the longest token. */
  readonly longest: number;
  readonly #bytes: Uint8Array;
  /** Where the token of each rank begins. It ends where the next one begins. */
  readonly #starts: Int32Array;
  /** A hash table with open addressing. Each slot contains a rank, or -1. */
  readonly #slots: Int32Array;
  readonly #mask: number;

  /**
   * @param compressed a line with the number of tokens, one byte for each token's length by rank, and the bytes of all
   * tokens.
   */
  constructor(compressed: Uint8Array) {
    const decompressed = brotliDecompressSync(compressed);
    const lengthsAt = decompressed.indexOf('\n') + 1;
    this.size = Number(decompressed.toString('latin1', 0, lengthsAt));
    const lengths = decompressed.subarray(lengthsAt, lengthsAt + this.size);
    this.#bytes = decompressed.subarray(lengthsAt + this.size);
    this.#starts = startsOf(lengths);
    this.longest = lengths.reduce((longest, length) => Math.max(longest, length), 0);
    const slots = 2 ** Math.ceil(Math.log2(this.size * 2));
    this.#mask = slots - 1;
    this.#slots = new Int32Array(slots).fill(-1);
    for (let rank = 0; rank < this.size; rank += 1) this.#slots[this.#freeSlot(rank)] = rank;
  }

  /** Returns the bytes of a token. */
  token(rank: number): Uint8Array {
    return this.#bytes.subarray(this.#starts[rank], this.#starts[rank + 1]);
  }

  /** Returns the rank of the token with these bytes, or -1. */
  rank(bytes: Uint8Array, start: number, end: number): number {
    if (end - start > this.longest) return -1;
    let slot = hash(bytes, start, end) & this.#mask;
    for (;;) {
      const rank = this.#slots[slot] ?? -1;
      if (rank === -1 || this.#isToken(rank, bytes, start, end)) return rank;
      slot = (slot + 1) & this.#mask;
    }
  }

  #isToken(rank: number, bytes: Uint8Array, start: number, end: number): boolean {
    const tokenStart = this.#starts[rank] ?? 0;
    if ((this.#starts[rank + 1] ?? 0) - tokenStart !== end - start) return false;
    for (let i = end - start - 1; i >= 0; i -= 1) if (this.#bytes[tokenStart + i] !== bytes[start + i]) return false;
    return true;
  }

  #freeSlot(rank: number): number {
    let slot = hash(this.#bytes, this.#starts[rank] ?? 0, this.#starts[rank + 1] ?? 0) & this.#mask;
    while (this.#slots[slot] !== -1) slot = (slot + 1) & this.#mask;
    return slot;
  }
}

function startsOf(lengths: Uint8Array): Int32Array {
  const starts = new Int32Array(lengths.length + 1);
  let at = 0;
  for (let rank = 0; rank < lengths.length; rank += 1) {
    at += lengths[rank] ?? 0;
    starts[rank + 1] = at;
  }
  return starts;
}

/** FNV-1a. The high bits are mixed in, because the low bits select the slot. */
function hash(bytes: Uint8Array, start: number, end: number): number {
  let value = 0x811c9dc5;
  for (let i = start; i < end; i += 1) value = Math.imul(value ^ (bytes[i] ?? 0), 0x01000193);
  return value ^ (value >>> 15);
}
