import { readFileSync } from 'node:fs';
import { BytePairs } from './bytePairs.ts';
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
