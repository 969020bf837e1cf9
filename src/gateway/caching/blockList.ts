/** What a comparison needs to know about a block in addition to its hash. */
export interface BlockFacts {
  readonly isImage?: boolean;
  /** Whether the block is a tool call or its result. A run of them is one position in the lookback of a cache. */
  readonly isToolUse?: boolean;
  readonly isMarked?: boolean;
}

const IMAGE = 1;
const TOOL_USE = 2;
const MARKED = 4;

/**
 * The blocks of one part of a request, in order. Contains their hashes and lengths, but no content. Uses plain arrays,
 * because each typed array is a separate allocation, which triggers garbage collection.
 */
export class BlockList {
  readonly #hashes: number[];
  readonly #facts: number[];
  length: number;
  /** The length of all blocks together. */
  bytes: number;
  #isLastMarked = false;

  constructor(hashes: number[] = [], facts: number[] = [], bytes = 0) {
    this.#hashes = hashes;
    this.#facts = facts;
    this.length = hashes.length;
    this.bytes = bytes;
  }

  /**
   * Returns a copy of the first blocks.
   * @param bytes the length of these blocks together.
   */
  head(blocks: number, bytes: number): BlockList {
    return new BlockList(this.#hashes.slice(0, blocks), this.#facts.slice(0, blocks), bytes);
  }

  push(hash: number, bytes: number, { isImage, isToolUse, isMarked }: BlockFacts): void {
    this.#hashes.push(hash);
    this.#facts.push((isImage ? IMAGE : 0) | (isToolUse ? TOOL_USE : 0) | (isMarked ? MARKED : 0));
    this.length += 1;
    this.bytes += bytes;
  }

  /** Marks the last block. A cache mark of the whole request applies to it. */
  markLast(): void {
    this.#isLastMarked = true;
  }

  /** Returns the hash of a block. */
  at(index: number): number | undefined {
    return this.#hashes[index];
  }

  isImage(index: number): boolean {
    return ((this.#facts[index] ?? 0) & IMAGE) !== 0;
  }

  isMarked(index: number): boolean {
    return ((this.#facts[index] ?? 0) & MARKED) !== 0 || (this.#isLastMarked && index === this.length - 1);
  }

  isToolUse(index: number): boolean {
    return ((this.#facts[index] ?? 0) & TOOL_USE) !== 0;
  }

  /** Returns the number of leading blocks that both lists share. */
  commonLength(other: BlockList): number {
    const shorter = Math.min(this.length, other.length);
    for (let index = 0; index < shorter; index++) {
      if (this.#hashes[index] !== other.#hashes[index]) return index;
    }
    return shorter;
  }

  equals(other: BlockList): boolean {
    return this.length === other.length && this.commonLength(other) === this.length;
  }
}
