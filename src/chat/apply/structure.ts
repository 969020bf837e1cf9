/**
 * Reads the structure of a text: its items, such as functions, members, and sections, within each other. It is read from
 * brackets and indentation, so that it works in any language and also for the parts of files that answers consist of.
 */
import { bare, indentOf, isBlank, linesOf } from '../review/lines.ts';
import { identityOf } from './identity.ts';
import { type ReadLine, readLines } from './lineReader.ts';
import { withMarksInPlace } from './markPlaces.ts';
import type { Syntax } from './syntax.ts';

/** A statement, or an item with its block. The lines are counted from 0, and ranges are half-open. */
export interface Item {
  /** Where its comments and decorators begin, and where the item itself does. */
  readonly start: number;
  readonly head: number;
  readonly end: number;
  /** What it is recognized by; empty if nothing identifies it. */
  readonly identity: string;
  /** Stands for lines that an answer omits. */
  readonly isMark: boolean;
  /** The head of an item whose block an answer omits on its line, as in `find() { ... }`. */
  readonly shortHead?: string | undefined;
  readonly isComment: boolean;
  /** The lines within its own ones, in order: those of a wrapped head, and of each of its blocks. */
  readonly bodies: readonly Level[];
  readonly level: Level;
}

/** Items beside each other. */
export interface Level {
  readonly start: number;
  readonly end: number;
  readonly items: readonly Item[];
  readonly owner: Item | undefined;
}

export interface Structure {
  /** The lines without their line breaks. */
  readonly lines: readonly string[];
  readonly root: Level;
  /** Whether brackets are closed, and whether some are open at the end. */
  readonly isBalanced: boolean;
  readonly isOpen: boolean;
  /** Whether a mark is within a comment, whose lines are no items, or stands for its beginning. */
  readonly hasMarkInComment: boolean;
  readonly syntax: Syntax;
}

interface OpenLevel extends Level {
  readonly items: Item[];
}

/**
 * @param marks The lines of an answer that stand for others. Undefined for a file.
 * @param isFlat Whether only indentation counts.
 */
export function structureOf(text: string, syntax: Syntax, marks?: ReadonlySet<number>, isFlat = false): Structure {
  const lines = linesOf(text).map(bare);
  const read = readLines(lines, syntax, isFlat);
  const placed = withMarksInPlace(read.lines, lines, marks ?? new Set(), syntax);
  const root = new StructureReader(lines, placed, marks, syntax).readLevel(0, lines.length, undefined);
  const isInComment = (line: number) => read.lines[line]?.isInComment === true;
  const endsComment = (line: number) => syntax.hasBlockComments && lines[line]?.trim().startsWith('*/') === true;
  const hasMarkInComment =
    marks !== undefined &&
    ([...marks].some(isInComment) || [...lines.keys()].some((line) => endsComment(line) && !isInComment(line)));
  return { lines, root, isBalanced: read.isBalanced, isOpen: read.isOpen, hasMarkInComment, syntax };
}

const DECORATOR = /^(?:@[\w.]+(?:\([^()]*\)|\(.*\)|\([^)]*)?|#!?\[.*|\[[A-Z]\w*(?:\(.*\))?\]|template\s*<.*>)$/;
/** What continues the statement before it. */
const CHAIN = /^(?:else|elif|elsif|elseif|except|finally|catch|rescue|ensure|then|do)\b/;
const CONTINUATION = /^[.?:&|+*=,<>)\]}-]/;
/** Words that end a block, or its last tag. */
const END = /^(?:end|fi|done|esac|endif|endwhile|endforeach|END)\b|^<\/|^[)\]}]/;
/** Directives begin at the margin wherever they are. */
const PREPROCESSOR = /^#\s*(?:if|ifdef|ifndef|el|else|elif|endif|region|endregion|pragma)\b/;
const CLOSED = /[)\]}][;,)\]}]*$/;

class StructureReader {
  readonly #texts: readonly string[];
  readonly #lines: readonly ReadLine[];
  readonly #marks: ReadonlySet<number>;
  readonly #isAnswer: boolean;
  readonly #syntax: Syntax;

  /** @param marks undefined for a file. */
  constructor(
    texts: readonly string[],
    lines: readonly ReadLine[],
    marks: ReadonlySet<number> | undefined,
    syntax: Syntax,
  ) {
    this.#texts = texts;
    this.#lines = lines;
    this.#marks = marks ?? new Set();
    this.#isAnswer = marks !== undefined;
    this.#syntax = syntax;
  }

  readLevel(start: number, end: number, owner: Item | undefined): Level {
    const level: OpenLevel = { start, end, owner, items: [] };
    let lead: number | undefined;
    for (let at = start; at < end; ) {
      const isMark = this.#marks.has(at);
      if (isBlank(this.#text(at)) || isMark) {
        if (lead !== undefined) this.#addLeaf(level, lead, at);
        lead = undefined;
        if (isMark) this.#addMark(level, at);
        at += 1;
        continue;
      }
      const leadEnd = this.#endOfLead(at, end);
      if (leadEnd > at) {
        lead ??= at;
        at = leadEnd;
        continue;
      }
      at = this.#readItem(level, lead ?? at, at);
      lead = undefined;
    }
    if (lead !== undefined) this.#addLeaf(level, lead, end);
    return level;
  }

  #text(line: number): string {
    return this.#texts[line]?.trim() ?? '';
  }

  #line(line: number): ReadLine {
    return (
      this.#lines[line] ?? {
        before: 0,
        after: 0,
        least: 0,
        indent: 0,
        isInString: false,
        isComment: false,
        isInComment: false,
      }
    );
  }

  #addLeaf(level: OpenLevel, start: number, end: number): void {
    level.items.push({ start, head: start, end, identity: '', isMark: false, isComment: true, bodies: [], level });
  }

  /** A mark after an item whose end is only the end of its indentation also stands for the rest of that item's members. */
  #addMark(level: OpenLevel, at: number): void {
    const mark = { start: at, head: at, end: at + 1, identity: '', isMark: true, isComment: false, bodies: [], level };
    const before = level.items.at(-1);
    const body = before?.bodies.at(-1) as OpenLevel | undefined;
    if (before !== undefined && body !== undefined && body.end === before.end && before.identity.startsWith('type ')) {
      body.items.push({ ...mark, level: body });
    }
    level.items.push(mark);
  }

  /** The line after a comment or decorator that begins here; the same line if none does. */
  #endOfLead(at: number, limit: number): number {
    const line = this.#line(at);
    if (line.isComment) return at + 1;
    const text = this.#text(at);
    if (!DECORATOR.test(text) || (this.#syntax.blocks === 'sections' && text.startsWith('['))) return at;
    let end = at + 1;
    while (end < limit && this.#line(end).before > line.before) end += 1;
    return end;
  }

  /** Reads an item and returns the line after it. */
  #readItem(level: OpenLevel, start: number, head: number): number {
    const end = this.#endOfItem(head, level.end);
    const bodies: Level[] = [];
    const text = this.#text(head);
    const isBlock = end > head + 1 && !this.#isCall(head, end);
    const shortHead = isBlock || !this.#isAnswer ? undefined : shortHeadOf(text);
    const item: Item = {
      start,
      head,
      end,
      identity: shortHead === undefined ? identityOf(text, isBlock) : identityOf(shortHead, true),
      isMark: false,
      shortHead,
      isComment: false,
      bodies,
      level,
    };
    for (const [from, to] of this.#bodyRanges(head, end)) bodies.push(this.readLevel(from, to, item));
    level.items.push(item);
    return end;
  }

  /** Whether an item is a call with an argument on each line, unlike a function with a parameter on each. */
  #isCall(head: number, end: number): boolean {
    if (!/^[\w$.!]+\($/.test(this.#text(head))) return false;
    for (let at = head + 1; at < end; at += 1) if (this.#isOwn(head, at) && /[{:]$/.test(this.#text(at))) return false;
    return true;
  }

  #endOfItem(head: number, limit: number): number {
    const { before: depth, after, indent } = this.#line(head);
    const usesBrackets = this.#syntax.blocks === 'brackets';
    let isClosed = usesBrackets && after <= depth && /[;}]$/.test(this.#text(head));
    // Whether the bracket that is open was opened by the item itself, and not by a statement within it.
    let isOwnBracket = after > depth;
    let end = head + 1;
    for (let at = head + 1; at < limit; at += 1) {
      const line = this.#line(at);
      const text = this.#text(at);
      if (line.isInString || line.before > depth) {
        end = at + 1;
        isClosed = isOwnBracket && line.after <= depth && CLOSED.test(text);
        continue;
      }
      if (text === '' || (usesBrackets && PREPROCESSOR.test(text))) continue;
      if (line.before < depth) break;
      const isDeeper = line.indent > indent;
      const continues = isDeeper
        ? !isClosed || (CONTINUATION.test(text) && !this.#marks.has(at))
        : line.indent === indent && this.#continuesAt(text, isClosed);
      if (!continues) {
        if (line.indent === indent && END.test(text) && (end > head + 1 || line.before === 0)) end = at + 1;
        break;
      }
      end = at + 1;
      isOwnBracket = !isDeeper && line.after > depth;
      if (!isDeeper) isClosed = false;
    }
    return end;
  }

  /** Whether a line at the indentation of the item's head belongs to it and does not end it. */
  #continuesAt(text: string, isClosed: boolean): boolean {
    if (this.#syntax.blocks === 'sections' || this.#syntax.blocks === 'list') return false;
    return (
      CHAIN.test(text) ||
      (/^\}?\s*(?:else|catch|finally)\b/.test(text) && text.startsWith('}')) ||
      (text.startsWith('{') && !isClosed)
    );
  }

  /** The ranges of lines between the item's own ones. */
  #bodyRanges(head: number, end: number): readonly (readonly [number, number])[] {
    const ranges: (readonly [number, number])[] = [];
    let from: number | undefined;
    for (let at = head + 1; at < end; at += 1) {
      if (!this.#isOwn(head, at)) from ??= at;
      else if (from !== undefined) {
        ranges.push([from, at]);
        from = undefined;
      }
    }
    if (from !== undefined) ranges.push([from, end]);
    return ranges;
  }

  /** Whether a line is one of the item's own: of its head, between its blocks, or its end. */
  #isOwn(head: number, at: number): boolean {
    const { before, least, indent, isInString } = this.#line(at);
    const own = this.#line(head);
    if (isInString || isBlank(this.#texts[at] ?? '') || this.#marks.has(at)) return false;
    // Where blocks are indented, a statement within the block can open and close brackets, too.
    if (before > own.before && indent > own.indent && own.after <= own.before) return false;
    return before > own.before ? least <= own.before : indent <= own.indent;
  }
}

const SHORT =
  /^(.*?\{)\s*(?:\/[/*]\s*)?(?:\.{3}|…)[^{}]*\}\s*[,;]?$|^((?:async\s+)?def\b.*:)\s*(?:\.{3}|…)$|^(.*?)\s*=>\s*\{\s*(?:\.{3}|…)\s*\}[),;]*$/;
const MAX_SHORT_LENGTH = 300;

function shortHeadOf(line: string): string | undefined {
  const match = line.length > MAX_SHORT_LENGTH ? null : SHORT.exec(line);
  const head = match?.[1] ?? match?.[2] ?? match?.[3];
  // `{ ...rest }` is an object or a pattern.
  return head === undefined || /[=(,:[]\s*\{$/.test(head) || /\.{3}\w/.test(line) ? undefined : head;
}

/** All items of a level, and those within them. */
export function* itemsIn(level: Level): Generator<Item> {
  for (const item of level.items) {
    yield item;
    for (const body of item.bodies) yield* itemsIn(body);
  }
}

/** An item's lines without the differences that do not matter: indentation, and a comma at its end. */
export function plainText({ lines }: Structure, { head, end }: Pick<Item, 'head' | 'end'>): string {
  return lines
    .slice(head, end)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
    .replace(/,$/, '');
}

/**
 * How deep each line of an item is within it, whatever the indentation is: 0 for its head, 1 for what it contains. Where
 * blocks are indented, this tells items with the same words apart.
 */
export function depthsOf({ lines }: Structure, { head, end }: Pick<Item, 'head' | 'end'>): string {
  const open: number[] = [];
  const written = lines.slice(head, end).filter((line) => !isBlank(line));
  return written
    .map((line) => {
      const width = indentOf(line).replaceAll('\t', '    ').length;
      while (open.length > 0 && (open.at(-1) ?? 0) > width) open.pop();
      if ((open.at(-1) ?? -1) < width) open.push(width);
      return open.length;
    })
    .join();
}

/** Whether an item of an answer omits lines within it. */
export function hasMarks(item: Item): boolean {
  return item.isMark || item.shortHead !== undefined || item.bodies.some(({ items }) => items.some(hasMarks));
}
