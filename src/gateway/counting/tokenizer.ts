import { readFileSync } from 'node:fs';
import { Vocabulary } from './vocabulary.ts';

/** Created by `scripts/packVocabulary.ts`. The build puts it next to the bundle. */
const PACKED = new URL('./o200k.br', import.meta.url);

const WORD_START = String.raw`[^\r\n\p{L}\p{N}]?`;
const CAPITAL = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`;
const SMALL = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`;
const CONTRACTION = `(?:'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE]))?`;

/** How o200k splits a text into pieces before it looks them up. Every character belongs to exactly one piece. */
const PIECE = [
  `${WORD_START}${CAPITAL}*${SMALL}+${CONTRACTION}`,
  `${WORD_START}${CAPITAL}+${SMALL}*${CONTRACTION}`,
  String.raw`\p{N}{1,3}`,
  String.raw` ?[^\s\p{L}\p{N}]+[\r\n/]*`,
  String.raw`\s*[\r\n]+`,
  String.raw`\s+(?!\S)`,
  String.raw`\s+`,
].join('|');

/**
 * Longer texts are split, at the start of a line if possible, because the regular expression overflows the stack on a
 * piece of several megabytes.
 */
const SLICE = 64 * 1024;

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
/** Each item of the heap is one number that combines a rank and a position. */
const POSITIONS = 2 ** 24;
const NO_RANK = -1;

/** The public tokenizer o200k. Treats the names of its special tokens as ordinary text. */
export class Tokenizer {
  readonly #pairs: BytePairs;
  readonly #piece = new RegExp(PIECE, 'gu');
  readonly #encoder = new TextEncoder();
  readonly #bytes = new Uint8Array(SLICE * 3);

  /** @param compressed the vocabulary, see {@link Vocabulary}. */
  constructor(compressed: Uint8Array = readFileSync(PACKED)) {
    this.#pairs = new BytePairs(new Vocabulary(compressed));
  }

  count(text: string): number {
    let tokens = 0;
    for (let start = 0; start < text.length; ) {
      const end = endOfSlice(text, start);
      tokens += this.#countSlice(text.slice(start, end));
      start = end;
    }
    return tokens;
  }

  #countSlice(text: string): number {
    const { written } = this.#encoder.encodeInto(text, this.#bytes);
    const isAscii = written === text.length;
    let tokens = 0;
    let [start, byteStart] = [0, 0];
    this.#piece.lastIndex = 0;
    while (this.#piece.test(text)) {
      const end = this.#piece.lastIndex;
      const byteEnd = byteStart + (isAscii ? end - start : utf8Length(text, start, end));
      tokens += this.#pairs.count(this.#bytes, byteStart, byteEnd);
      [start, byteStart] = [end, byteEnd];
    }
    return tokens;
  }
}

function endOfSlice(text: string, start: number): number {
  const end = start + SLICE;
  if (end >= text.length) return text.length;
  for (let line = text.lastIndexOf('\n', end - 2); line > start; line = text.lastIndexOf('\n', line - 1)) {
    // No piece extends across the start of such a line.
    if (LETTER_OR_DIGIT.test(text.charAt(line + 1))) return line + 1;
    if (line < end - SLICE / 2) break;
  }
  return isLeadingSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
}

/** Lone surrogates become U+FFFD, which also takes three bytes. */
function utf8Length(text: string, start: number, end: number): number {
  let length = 0;
  for (let i = start; i < end; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 0x80) length += 1;
    else if (code < 0x800) length += 2;
    else if (isLeadingSurrogate(code) && isTrailingSurrogate(text.charCodeAt(i + 1))) {
      length += 4;
      i += 1;
    } else length += 3;
  }
  return length;
}

function isLeadingSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isTrailingSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}

/**
 * Counts tokens with byte pair encoding, without creating them: of all adjacent parts that form a token together, those
 * with the lowest rank are merged, until none are left. A heap holds the pairs, so that a piece without spaces takes n
 * log n steps instead of n², whatever its length.
 */
class BytePairs {
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
