/**
 * Markdown's parser with limits. Some texts would keep it busy for seconds: nested emphasis that is never closed, lists
 * a thousand levels deep, a word of a megabyte. Text that exceeds a limit becomes plain text.
 */
import { Lexer, type MarkedOptions, type Token, Tokenizer, type Tokens } from 'marked';
import { WorkMeter } from './workMeter.ts';

/** Text that is shown as written. */
export interface PlainToken extends Tokens.Generic {
  readonly type: 'plain';
  readonly text: string;
}

/** Maximum depth of nested lists and quotes, and of nested emphasis. */
const MAX_DEPTH = 24;

/** Lists and quotes are parsed again for each level and line, so longer ones are split between two lines. */
const MAX_CONTAINER_LINES = 400;
const MAX_CONTAINER_LENGTH = 32_000;

const NESTED_WORK = 1500;

/**
 * Longer text without a blank line is not parsed, unless it is code. While it grows, it is laid out again for each piece
 * that arrives. In characters.
 */
const MAX_PARAGRAPH = 50_000;

const FENCE = /^ {0,3}(?:```|~~~)/;

/** Maximum number of cells in a table, including those missing in short rows. */
const MAX_CELLS = 4000;

/** Parsing a cell, even an empty one, costs as much as a few hundred characters. */
const CELL_WORK = 700;

/** The optional bars at the start and end of a row. */
const OUTER_BARS = /^[ \t]*\||\|[ \t]*\n?$/g;

/** The second line of a table. */
const DELIMITER_ROW = /^[ \t|:-]*-[ \t|:-]*\n?$/;

/** Plain text is split into pieces of this length, so that only visible ones are laid out. In characters. */
const PLAIN_LENGTH = 8000;

/** Each of these starts a construct whose end the parser may search up to the end of the text. */
const OPENING = /[[\]`<]/g;

/**
 * The parser searches these words for addresses, once for each of their characters. A part of this length is too much
 * work already, and a pattern without a limit exceeds the stack.
 */
const WORD = /[!-~]{64,100000}/g;

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
      // An item, a quote, or a footnote costs as much as a few hundred characters.
      const isAffordable = this.#depth === 1 || this.#meter.spend(NESTED_WORK + src.length);
      if (this.#depth > MAX_DEPTH || !isAffordable) tokens.push(plain(src));
      else super.blockTokens(src, tokens, lastParagraphClipped);
      return tokens as Token[] & Lexer['tokens'];
    } finally {
      this.#depth -= 1;
    }
  }

  /**
   * For extensions that consume text without the tokenizer below.
   * @returns false if there is no budget left for the work.
   */
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

/**
 * Finds the distance to the next blank line. The position is searched once, while the remaining text gets shorter from
 * the front.
 */
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

  /**
   * Called by the parser at the start of each block, so the budget is checked here. The parser reads the text up to the
   * next blank line twice to determine the kind of block.
   */
  override space(src: string): Tokens.Space | undefined {
    const length = this.#paragraph.lengthIn(src);
    if (length > MAX_PARAGRAPH && !FENCE.test(src)) return plain(src.slice(0, length)) as unknown as Tokens.Space;
    const isAffordable = this.#meter.spend(250 + 2 * length);
    // The parser accepts any token here. A token with the entire remaining text ends its loop.
    return isAffordable ? super.space(src) : (plain(src) as unknown as Tokens.Space);
  }

  /** Called by the parser at each part of a line, so the budget is checked here. */
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
    const rows = beginning(src, Math.floor(MAX_CELLS / columns) + 2, Number.POSITIVE_INFINITY);
    // The parser splits all rows before the budget is checked for the content of the first cell.
    const cells = rowsIn(rows) * src.slice(0, head).replace(OUTER_BARS, '').split('|').length;
    return this.#meter.spend(cells * CELL_WORK) ? super.table(rows) : undefined;
  }

  /** Returns the part of a list or quote that is parsed in one step, or all of the text if neither starts here. */
  #container(src: string, start: RegExp): string {
    if (!start.test(src)) return src;
    const cut = beginning(src, MAX_CONTAINER_LINES, MAX_CONTAINER_LENGTH);
    if (cut.length === src.length) return src;
    // If possible, the text is split before an item, so that no item is divided.
    const lines = cut.split('\n');
    const last = lines.findLastIndex((line, index) => index > 0 && start.test(line));
    return last === -1 ? cut : `${lines.slice(0, last).join('\n')}\n`;
  }
}

/** Splits plain text into pieces, at line ends where possible. */
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

/** Returns the work of the parser before its first step in a line: it searches for text that is not emphasis. */
function workBefore(src: string): number {
  const openings = src.match(OPENING)?.length ?? 0;
  const words = src.length < 64 ? [] : (src.match(WORD) ?? []);
  return 100 + src.length * (1 + openings / 2) + words.reduce((sum, { length }) => sum + length * length, 0) / 6;
}

/** Returns at most this number of lines, or of characters if the lines are too long. */
function beginning(src: string, lines: number, length: number): string {
  let end = 0;
  for (let line = 0; line < lines && end < src.length; line += 1) {
    const next = endOfLine(src, end);
    if (next > length) return src.slice(0, end === 0 ? length : end);
    end = next;
  }
  return src.slice(0, end);
}

/** Returns the number of lines before the first blank one. */
function rowsIn(src: string): number {
  const end = src.indexOf('\n\n');
  return (end === -1 ? src : src.slice(0, end)).split('\n').length;
}

/** Returns the position after the line break. */
function endOfLine(src: string, from: number): number {
  const end = src.indexOf('\n', from);
  return end === -1 ? src.length : end + 1;
}
