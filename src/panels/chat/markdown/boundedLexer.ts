/**
 * Markdown's parser with limits. Some texts make it work for seconds: emphasis within emphasis that is never closed,
 * lists a thousand deep, a word of a megabyte. What is over a limit becomes plain text, whoever wrote it and why.
 */
import { Lexer, type MarkedOptions, type Token, Tokenizer, type Tokens } from 'marked';
import { WorkMeter } from './workMeter.ts';

/** Text that is shown as it was written. */
export interface PlainToken extends Tokens.Generic {
  readonly type: 'plain';
  readonly text: string;
}

/** How deep lists and quotes may be nested, and emphasis in emphasis. */
const MAX_DEPTH = 24;

/** Lists and quotes are read again for each level and line: longer ones are cut between two lines. */
const MAX_CONTAINER_LINES = 400;
const MAX_CONTAINER_LENGTH = 32_000;

const NESTED_WORK = 1500;

/** Text without a blank line that is longer, and no code, is not parsed. */
const MAX_PARAGRAPH = 100_000;

const FENCE = /^ {0,3}(?:```|~~~)/;

/** Cells of a table, counting those that its short rows lack. */
const MAX_CELLS = 4000;

/** The second line of a table. */
const DELIMITER_ROW = /^[ \t|:-]*-[ \t|:-]*\n?$/;

/** Plain text comes in pieces of this length, so that only those in sight are laid out. */
const PLAIN_LENGTH = 8000;

/** Each opens something that the parser may look for up to the end. */
const OPENING = /[[\]`<]/g;

/** Addresses are looked for in these, once for each of their characters. */
const WORD = /[!-~]{64,}/g;

export class BoundedLexer extends Lexer {
  readonly #meter: WorkMeter;
  #depth = 0;
  #inlineDepth = 0;

  constructor(options: MarkedOptions, meter = new WorkMeter()) {
    super({ ...options, tokenizer: new BoundedTokenizer(meter) });
    this.#meter = meter;
  }

  override blockTokens(src: string, tokens: Token[] = [], lastParagraphClipped = false): Token[] & Lexer['tokens'] {
    this.#depth += 1;
    try {
      // An item, a quote or a note costs as much as some hundred characters.
      const isAffordable = this.#depth === 1 || this.#meter.spend(NESTED_WORK + src.length);
      if (this.#depth > MAX_DEPTH || !isAffordable) tokens.push(plain(src));
      else super.blockTokens(src, tokens, lastParagraphClipped);
      return tokens as Token[] & Lexer['tokens'];
    } finally {
      this.#depth -= 1;
    }
  }

  /** For what takes its part of the text without the tokenizer below. @returns false where it is not to be done. */
  affords(units: number): boolean {
    return this.#meter.spend(units);
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (this.#inlineDepth === 0) this.#meter.beginRun();
    this.#inlineDepth += 1;
    try {
      const isAffordable = this.#inlineDepth <= MAX_DEPTH && this.#meter.spendInRun(workBefore(src));
      if (isAffordable) super.inlineTokens(src, tokens);
      else tokens.push(text(src));
      return tokens;
    } finally {
      this.#inlineDepth -= 1;
    }
  }
}

/** How far it is to the next blank line. It is looked for once, while what is left gets shorter from the front. */
class ParagraphEnd {
  #length = 0;
  #afterEnd = 0;

  lengthIn(src: string): number {
    if (src.length >= this.#length || src.length <= this.#afterEnd) {
      const end = src.indexOf('\n\n');
      this.#afterEnd = end === -1 ? 0 : src.length - end;
    }
    this.#length = src.length;
    return src.length - this.#afterEnd;
  }
}

class BoundedTokenizer extends Tokenizer {
  readonly #meter: WorkMeter;
  readonly #paragraph = new ParagraphEnd();

  constructor(meter: WorkMeter) {
    super();
    this.#meter = meter;
  }

  /** The parser's first question at each block. Up to the next blank line it reads twice, to see what this is. */
  override space(src: string): Tokens.Space | undefined {
    const length = this.#paragraph.lengthIn(src);
    if (length > MAX_PARAGRAPH && !FENCE.test(src)) return plain(src.slice(0, length)) as unknown as Tokens.Space;
    const isAffordable = this.#meter.spend(250 + 2 * length);
    // Any token is taken here. It ends the parser's loop when it has all that is left.
    return isAffordable ? super.space(src) : (plain(src) as unknown as Tokens.Space);
  }

  /** The parser's first question at each part of a line. */
  override escape(src: string): Tokens.Escape | undefined {
    const work = 100 + (/^[*_~[!$<`\\]/.test(src) ? src.length : src.length / 4);
    return this.#meter.spendInRun(work) ? super.escape(src) : (text(src) as unknown as Tokens.Escape);
  }

  override list(src: string): Tokens.List | undefined {
    return super.list(this.#container(src, /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?=\s)/));
  }

  override blockquote(src: string): Tokens.Blockquote | undefined {
    return super.blockquote(this.#container(src, /^ {0,3}>/));
  }

  override table(src: string): Tokens.Table | undefined {
    const head = endOfLine(src, 0);
    if (!DELIMITER_ROW.test(src.slice(head, endOfLine(src, head)))) return undefined;
    const columns = src.slice(0, head).split('|').length;
    if (columns > MAX_CELLS / 2) return undefined;
    return super.table(beginning(src, Math.floor(MAX_CELLS / columns) + 2, Number.POSITIVE_INFINITY));
  }

  /** As much of a list or a quote as is read at once; all, where neither begins here. */
  #container(src: string, start: RegExp): string {
    if (!start.test(src)) return src;
    const cut = beginning(src, MAX_CONTAINER_LINES, MAX_CONTAINER_LENGTH);
    if (cut.length === src.length) return src;
    // Where it can, the cut lies before an item, so that no item is torn.
    const lines = cut.split('\n');
    const last = lines.findLastIndex((line, index) => index > 0 && start.test(line));
    return last === -1 ? cut : `${lines.slice(0, last).join('\n')}\n`;
  }
}

/** Plain text in pieces, each ending with a line where there is one. */
export function plainPieces(source: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < source.length; ) {
    const line = source.lastIndexOf('\n', from + PLAIN_LENGTH);
    const to = line > from ? line + 1 : from + PLAIN_LENGTH;
    pieces.push(source.slice(from, to));
    from = to;
  }
  return pieces;
}

export function plain(src: string): PlainToken {
  return { type: 'plain', raw: src, text: src };
}

function text(src: string): Tokens.Text {
  return { type: 'text', raw: src, text: src, escaped: false };
}

/** What the parser does before its first step in a line: it looks for what must not be read as emphasis. */
function workBefore(src: string): number {
  const openings = src.match(OPENING)?.length ?? 0;
  const words = src.length < 64 ? [] : (src.match(WORD) ?? []);
  return 100 + src.length * (1 + openings / 2) + words.reduce((sum, { length }) => sum + length * length, 0) / 6;
}

/** So many lines at most, and where these are too long so many characters. */
function beginning(src: string, lines: number, length: number): string {
  let end = 0;
  for (let line = 0; line < lines && end < src.length; line += 1) {
    const next = endOfLine(src, end);
    if (next > length) return src.slice(0, end === 0 ? length : end);
    end = next;
  }
  return src.slice(0, end);
}

/** After the line's break. */
function endOfLine(src: string, from: number): number {
  const end = src.indexOf('\n', from);
  return end === -1 ? src.length : end + 1;
}
