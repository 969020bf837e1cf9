import type { Vocabulary } from './vocabulary.ts';

/** Each item of the heap is one number that combines a rank and a position. */
const POSITIONS = 2 ** 24;
const NO_RANK = -1;

/**
 * Counts tokens with byte pair encoding, without creating them: of all adjacent parts that form a token together, those
 * with the lowest rank are merged, until none are left. A heap holds the pairs, so that a piece without spaces takes n
 * log n steps instead of n², whatever its length.
 */
export class BytePairs {
  readonly #vocabulary: Vocabulary;
  readonly #heap = new Heap();
  #next = new Int32Array(256);
  #previous = new Int32Array(256);
  /** The rank of a part together with the next one. */
  #ranks = new Int32Array(256);

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** @returns the number of tokens of a piece of at most 16 MB. */
  count(bytes: Uint8Array, start: number, end: number): number {
    if (end - start < 2 || this.#vocabulary.rank(bytes, start, end) !== -1) return 1;
    const length = end - start;
    this.#reserve(length + 1);
    for (let at = 0; at <= length; at += 1) {
      this.#next[at] = at + 1;
      this.#previous[at] = at - 1;
    }
    const piece = bytes.subarray(start, end);
    for (let at = 0; at < length; at += 1) this.#rate(piece, at);
    return length - this.#merge(piece);
  }

  /** @returns the number of merges. Each reduces the number of tokens by one. */
  #merge(piece: Uint8Array): number {
    let merges = 0;
    for (let lowest = this.#heap.take(); lowest !== undefined; lowest = this.#heap.take()) {
      const at = lowest % POSITIONS;
      // A pair that was ranked before a neighbor changed is not valid anymore.
      if (this.#ranks[at] !== Math.floor(lowest / POSITIONS)) continue;
      merges += 1;
      const merged = this.#next[at] ?? 0;
      const after = this.#next[merged] ?? 0;
      this.#ranks[merged] = NO_RANK;
      this.#next[at] = after;
      this.#previous[after] = at;
      this.#rate(piece, at);
      if (at > 0) this.#rate(piece, this.#previous[at] ?? 0);
    }
    return merges;
  }

  #rate(piece: Uint8Array, at: number): void {
    const next = this.#next[at] ?? 0;
    const rank = next >= piece.length ? NO_RANK : this.#vocabulary.rank(piece, at, this.#next[next] ?? 0);
    this.#ranks[at] = rank;
    if (rank !== NO_RANK) this.#heap.add(rank * POSITIONS + at);
  }

  #reserve(length: number): void {
    if (length <= this.#next.length) return;
    const size = 2 ** Math.ceil(Math.log2(length));
    this.#next = new Int32Array(size);
    this.#previous = new Int32Array(size);
    this.#ranks = new Int32Array(size);
  }
}

/** A binary heap of numbers, smallest first. */
class Heap {
  readonly #items: number[] = [];

  add(item: number): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent] ?? 0;
      if (above <= item) break;
      items[at] = above;
      at = parent;
    }
    items[at] = item;
  }

  take(): number | undefined {
    const items = this.#items;
    const lowest = items[0];
    const last = items.pop();
    if (items.length > 0 && last !== undefined) this.#sink(last);
    return lowest;
  }

  /** Puts an item in the place of the first. */
  #sink(item: number): void {
    const items = this.#items;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if ((items[child + 1] ?? Number.POSITIVE_INFINITY) < (items[child] ?? 0)) child += 1;
      const below = items[child] ?? 0;
      if (below >= item) break;
      items[at] = below;
      at = child;
    }
    items[at] = item;
  }
}
