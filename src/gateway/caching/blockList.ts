import { HASH_BYTES } from './blockHasher.ts';

/** What a comparison needs to know about a block beside its hash. */
export interface BlockFacts {
  readonly isImage?: boolean;
  /** A tool's call or its result. A run of them is one position for the lookback of a cache. */
  readonly isToolUse?: boolean;
  /** A cache mark stands on it. */
  readonly isMarked?: boolean;
}

const IMAGE = 1;
const TOOL_USE = 2;
const MARKED = 4;
const INITIAL_BLOCKS = 64;

/** The blocks of one part of a request, in order: their hashes and lengths, and nothing that they say. */
export class BlockList {
  #hashes = Buffer.alloc(INITIAL_BLOCKS * HASH_BYTES);
  #facts = new Uint8Array(INITIAL_BLOCKS);
  #length = 0;
  #bytes = 0;

  get length(): number {
    return this.#length;
  }

  /** Of all blocks together. */
  get bytes(): number {
    return this.#bytes;
  }

  push(hash: Buffer, bytes: number, { isImage, isToolUse, isMarked }: BlockFacts): void {
    if (this.#length === this.#facts.length) this.#resize(this.#length * 2);
    hash.copy(this.#hashes, this.#length * HASH_BYTES);
    this.#facts[this.#length] = (isImage ? IMAGE : 0) | (isToolUse ? TOOL_USE : 0) | (isMarked ? MARKED : 0);
    this.#length += 1;
    this.#bytes += bytes;
  }

  /** A mark of the whole request stands on its last block. */
  markLast(): void {
    const last = this.#length - 1;
    if (last >= 0) this.#facts[last] = (this.#facts[last] ?? 0) | MARKED;
  }

  /** Frees what is not used. */
  trim(): void {
    this.#resize(this.#length);
  }

  /** A block's hash as a key for sets. */
  at(index: number): string {
    return this.#hashes.toString('latin1', index * HASH_BYTES, Math.min(index + 1, this.#length) * HASH_BYTES);
  }

  isImage(index: number): boolean {
    return ((this.#facts[index] ?? 0) & IMAGE) !== 0;
  }

  isMarked(index: number): boolean {
    return ((this.#facts[index] ?? 0) & MARKED) !== 0;
  }

  isToolUse(index: number): boolean {
    return ((this.#facts[index] ?? 0) & TOOL_USE) !== 0;
  }

  /** How many blocks both begin with. */
  commonLength(other: BlockList): number {
    const most = Math.min(this.#length, other.#length);
    for (let index = 0; index < most; index++) {
      const start = index * HASH_BYTES;
      if (this.#hashes.compare(other.#hashes, start, start + HASH_BYTES, start, start + HASH_BYTES) !== 0) return index;
    }
    return most;
  }

  equals(other: BlockList): boolean {
    return this.#length === other.#length && this.commonLength(other) === this.#length;
  }

  #resize(blocks: number): void {
    const hashes = Buffer.alloc(blocks * HASH_BYTES);
    this.#hashes.copy(hashes);
    const facts = new Uint8Array(blocks);
    facts.set(this.#facts.subarray(0, blocks));
    this.#hashes = hashes;
    this.#facts = facts;
  }
}
