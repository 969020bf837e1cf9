/** Reads where the brackets, strings, and comments of a text begin and end, line by line. */
import { indentOf } from '../review/lines.ts';
import type { Syntax } from './syntax.ts';

export interface ReadLine {
  /** The number of open brackets at the beginning of the line and at its end, and the least within it. */
  readonly before: number;
  readonly after: number;
  readonly least: number;
  /** How deep the line is indented; with headings, by their level. */
  readonly indent: number;
  /** Whether the line begins within a string that spans lines. */
  readonly isInString: boolean;
  readonly isComment: boolean;
  /** Whether the line begins within a comment that spans lines. */
  readonly isInComment: boolean;
}

/** The content of a section is below all levels of headings. */
export const CONTENT = 7;

export interface ReadLines {
  readonly lines: readonly ReadLine[];
  /** Whether all brackets are closed. Those of a text that does not close them do not count. */
  readonly isBalanced: boolean;
  /** Whether brackets or strings are open at the end. */
  readonly isOpen: boolean;
}

/** @param isFlat Whether brackets are ignored, because those of a text that it is compared with are not closed. */
export function readLines(texts: readonly string[], syntax: Syntax, isFlat = false): ReadLines {
  const reader = new LineReader(syntax);
  const lines = texts.map((text) => reader.read(text));
  const { isBalanced, isInText, isOpen } = reader;
  if (isBalanced && !isFlat) return { lines, isBalanced, isOpen };
  // A string without an end would hide all lines after it.
  const plain = isInText ? texts.map((text) => new LineReader(syntax).read(text)) : lines;
  const flat = plain.map((line, index) => {
    const { isInComment = false } = lines[index] ?? {};
    return { ...line, before: 0, after: 0, least: 0, isInComment };
  });
  return { lines: flat, isBalanced, isOpen };
}

/** What may begin or end a bracket, string, or comment. */
const SIGN = /["'`/#()[\]{}-]/g;
const TRIPLE = /^(?:"""|''')/;
const FENCE = /^\s*(`{3,}|~{3,})/;
/** A slash after one of these begins a regular expression. */
const BEFORE_PATTERN = /(?:^|[(,=:[!&|?{};+>]|return|=>)\s*$/;
const PATTERN = /^\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+\//;

class LineReader {
  readonly #syntax: Syntax;
  #depth = 0;
  #isNegative = false;
  /** What ends the string or comment that the line begins in. */
  #until: string | undefined;

  constructor(syntax: Syntax) {
    this.#syntax = syntax;
  }

  get isBalanced(): boolean {
    return this.#depth === 0 && !this.#isNegative && !this.isInText;
  }

  get isInText(): boolean {
    return this.#until !== undefined;
  }

  get isOpen(): boolean {
    return this.#depth > 0 || this.isInText;
  }

  read(text: string): ReadLine {
    const trimmed = text.trim();
    const isInString = this.#until !== undefined && this.#until !== '*/';
    const isInComment = this.#until === '*/';
    const isComment = isInComment || this.#beginsComment(trimmed);
    const before = this.#depth;
    const least = this.#syntax.blocks === 'sections' ? this.#readFence(text) : this.#scan(text);
    const indent = isInString ? Number.POSITIVE_INFINITY : this.#indentOf(text, trimmed);
    return { before, after: this.#depth, least, indent, isInString, isComment, isInComment };
  }

  #beginsComment(trimmed: string): boolean {
    const { lineComments, hasBlockComments, blocks } = this.#syntax;
    if (lineComments.some((sign) => trimmed.startsWith(sign))) return true;
    if (hasBlockComments && trimmed.startsWith('/*') && /^\/\*(?:(?!\*\/).)*(?:\*\/)?$/.test(trimmed)) return true;
    return blocks !== 'sections' && trimmed.startsWith('<!--');
  }

  #indentOf(text: string, trimmed: string): number {
    const indent = indentOf(text);
    const width = indent.includes('\t') ? indent.replaceAll('\t', '    ').length : indent.length;
    switch (this.#syntax.blocks) {
      case 'sections': {
        const heading = this.#syntax.lineComments.length === 0 ? /^(#{1,6})\s/.exec(trimmed)?.[1] : undefined;
        if (heading !== undefined) return heading.length;
        return this.#syntax.lineComments.length > 0 && /^\[.*\]$/.test(trimmed) ? 1 : CONTENT + width;
      }
      case 'list':
        return width * 2 + (trimmed.startsWith('- ') || trimmed === '-' ? 1 : 0);
      default:
        return width;
    }
  }

  #readFence(text: string): number {
    const fence = FENCE.exec(text)?.[1];
    if (this.#until === undefined) this.#until = fence;
    else if (fence?.startsWith(this.#until) === true) this.#until = undefined;
    return 0;
  }

  /** Returns the least depth within the line. */
  #scan(text: string): number {
    let least = this.#depth;
    let at = 0;
    while (at < text.length) {
      if (this.#until !== undefined) {
        at = this.#endOfText(text, at);
        continue;
      }
      SIGN.lastIndex = at;
      at = SIGN.exec(text)?.index ?? text.length;
      if (at === text.length) break;
      const length = this.#skipped(text, at);
      if (length === undefined) break;
      if (length > 0) {
        at += length;
        continue;
      }
      const sign = text[at] ?? '';
      if ('([{'.includes(sign)) this.#depth += 1;
      if (')]}'.includes(sign)) this.#depth -= 1;
      if (this.#depth < 0) [this.#depth, this.#isNegative] = [0, true];
      least = Math.min(least, this.#depth);
      at += 1;
    }
    return least;
  }

  /** The place after the string or comment that is open; the end of the line if it stays open. */
  #endOfText(text: string, at: number): number {
    const until = this.#until ?? '';
    for (let place = at; place < text.length; place += 1) {
      if (text[place] === '\\' && until !== '*/') place += 1;
      else if (text.startsWith(until, place)) {
        this.#until = undefined;
        return place + until.length;
      }
    }
    return text.length;
  }

  /** The length of what contains no brackets that count. Undefined if that is the rest of the line. */
  #skipped(text: string, at: number): number | undefined {
    const { lineComments, hasBlockComments, hasLifetimes, blocks } = this.#syntax;
    const sign = text[at] ?? '';
    if (!`"'\`/#-`.includes(sign)) return 0;
    if (lineComments.some((one) => text.startsWith(one, at) && (one !== '#' || /^$|\s/.test(text[at - 1] ?? ''))))
      return undefined;
    if (hasBlockComments && text.startsWith('/*', at)) return this.#open('*/', 2);
    const rest = text.slice(at, at + 3);
    if (blocks === 'indent' && TRIPLE.test(rest)) return this.#open(rest, 3);
    if (sign === '`') return blocks === 'brackets' && !hasLifetimes ? this.#open('`', 1) : 0;
    if (sign === '/')
      return blocks === 'brackets' && BEFORE_PATTERN.test(text.slice(0, at))
        ? (PATTERN.exec(text.slice(at))?.[0].length ?? 0)
        : 0;
    if (sign === "'" && hasLifetimes) return /^'(?:\\[^']+|[^'\\])'/.exec(text.slice(at, at + 12))?.[0].length ?? 0;
    return sign === '"' || sign === "'" ? stringLength(text, at, sign) : 0;
  }

  #open(until: string, length: number): number {
    this.#until = until;
    return length;
  }
}

/** A string ends with its line. Without an end, the sign is an apostrophe. */
function stringLength(text: string, at: number, quote: string): number {
  for (let place = at + 1; place < text.length; place += 1) {
    if (text[place] === '\\') place += 1;
    else if (text[place] === quote) return place + 1 - at;
  }
  return 0;
}
