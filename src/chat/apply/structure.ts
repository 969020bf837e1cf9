/**
 * Reads the structure of a text: its items, such as functions, members, and sections, within each other. It is read from
 * brackets and indentation, so that it works in any language and also for the parts of files that answers consist of.
 */
import { bare, isBlank, linesOf } from '../review/lines.ts';
import { identityOf, isImportHead } from './identity.ts';
import { type ReadLine, readLines } from './lineReader.ts';
import { withMarksInPlace } from './markPlaces.ts';
import { shortHeadOf } from './marks.ts';
import { endsInPart, openingTag, partAt } from './parts.ts';
import { CHAIN, CLOSED, COMPLETE, CONTINUATION, DECORATOR, END, PREPROCESSOR, type Syntax } from './syntax.ts';

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
  /** Whether an answer omits lines within it, or the item is a mark itself. */
  readonly hasMarks: boolean;
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
  /** The lines of an answer that stand for others. */
  readonly marks: ReadonlySet<number>;
  /** Whether brackets are closed, and whether some are open at the end. */
  readonly isBalanced: boolean;
  readonly isOpen: boolean;
  /** Whether a mark is within a comment or string, whose lines are no items, or stands for the beginning of a comment. */
  readonly hasMarkInText: boolean;
  readonly syntax: Syntax;
}

/**
 * @param marks The lines of an answer that stand for others. Undefined for a file.
 * @param isFlat Whether only indentation counts.
 */
export function structureOf(text: string, syntax: Syntax, marks?: ReadonlySet<number>, isFlat = false): Structure {
  const lines = linesOf(text).map(bare);
  const read = readLines(lines, syntax, isFlat);
  const placed = withMarksInPlace(read.lines, lines, marks ?? new Set(), syntax);
  const root = new StructureReader(lines, placed, syntax, marks).level([0, lines.length], undefined);
  const isInText = (line: number) => read.lines[line]?.isInComment === true || read.lines[line]?.isInString === true;
  const isCut = (text: string, line: number) =>
    isInText(line) ? marks?.has(line) === true : syntax.hasBlockComments && text.trim().startsWith('*/');
  return {
    lines,
    root,
    marks: marks ?? new Set(),
    isBalanced: read.isBalanced,
    isOpen: read.isOpen || (syntax.hasParts === true && endsInPart(lines)),
    hasMarkInText: marks !== undefined && lines.some(isCut),
    syntax,
  };
}

class StructureReader {
  readonly #texts: readonly string[];
  readonly #lines: readonly ReadLine[];
  readonly #marks: ReadonlySet<number>;
  /** The marks, and the heads of items whose blocks are omitted. */
  readonly #omitting: readonly number[];
  readonly #syntax: Syntax;

  constructor(texts: readonly string[], lines: readonly ReadLine[], syntax: Syntax, marks?: ReadonlySet<number>) {
    this.#texts = texts;
    this.#lines = lines;
    this.#marks = marks ?? new Set();
    this.#syntax = syntax;
    const isShort = (line: number) =>
      lines[line]?.isComment === false && !lines[line].isInString && shortHeadOf(texts[line] ?? '') !== undefined;
    const isOmitting = (line: number) => marks?.has(line) === true || isShort(line);
    this.#omitting = marks === undefined ? [] : [...texts.keys()].filter(isOmitting);
  }

  /** A level that reads its items when they are first asked for: most of a long file is neither shown nor changed. */
  level([start, end]: readonly [number, number], owner: Item | undefined): Level {
    const read = (level: Level) => this.#itemsOf(level);
    let items: Item[] | undefined;
    return {
      start,
      end,
      owner,
      get items() {
        items ??= read(this);
        return items;
      },
    };
  }

  #itemsOf(level: Level): Item[] {
    const { end } = level;
    const items: Item[] = [];
    let lead: number | undefined;
    for (let at = level.start; at < end; ) {
      const isMark = this.#marks.has(at);
      // A comment goes on after a blank line in it.
      const isGap = isBlank(this.#text(at)) && !(lead !== undefined && this.#line(at).isInComment);
      if (isGap || isMark) {
        if (lead !== undefined) items.push(leaf(level, lead, at));
        lead = undefined;
        if (isMark) this.#addMark(level, items, at);
        at += 1;
        continue;
      }
      const leadEnd = this.#endOfLead(at, end);
      if (leadEnd > at) {
        lead ??= at;
        at = leadEnd;
        continue;
      }
      const item = this.#readItem(level, lead ?? at, at);
      items.push(item);
      at = item.end;
      lead = undefined;
    }
    if (lead !== undefined) items.push(leaf(level, lead, end));
    return items;
  }

  #text(line: number): string {
    return this.#texts[line]?.trim() ?? '';
  }

  #line(line: number): ReadLine {
    return this.#lines[line] as ReadLine;
  }

  /** A mark after an item whose end is only the end of its indentation also stands for the rest of that item's members. */
  #addMark(level: Level, items: Item[], at: number): void {
    const mark = { ...leaf(level, at, at + 1), isMark: true, hasMarks: true, isComment: false };
    const before = items.at(-1);
    const body = before?.bodies.at(-1);
    const isOpen = body !== undefined && body.end === before?.end;
    if (before !== undefined && isOpen && (before.identity.startsWith('type ') || this.#syntax.blocks === 'list')) {
      (body.items as Item[]).push({ ...mark, level: body });
      Object.assign(before, { hasMarks: true });
    }
    items.push(mark);
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

  #readItem(level: Level, start: number, head: number): Item {
    const end = this.#endOfTag(head, level.end) ?? this.#endOfStatement(head, level.end);
    const bodies: Level[] = [];
    const text = this.#text(head);
    const isBlock = end > head + 1 && !this.#isCall(head, end);
    const named = this.#named(text, head, end);
    const shortHead = isBlock || !this.#omitting.includes(head) ? undefined : shortHeadOf(text);
    const item: Item = {
      start,
      head,
      end,
      identity: shortHead === undefined ? identityOf(named, isBlock || named !== text) : identityOf(shortHead, true),
      isMark: false,
      shortHead,
      isComment: false,
      hasMarks: this.#omitting.some((line) => line >= head && line < end),
      bodies,
      level,
    };
    for (const range of this.#bodyRanges(head, end)) bodies.push(this.level(range, item));
    return item;
  }

  /** What names an item may follow on its next lines. */
  #named(text: string, head: number, end: number): string {
    if (isImportHead(text)) return this.#texts.slice(head, end).join(' ').trim();
    if (/^<[A-Z]/.test(text)) return openingTag(this.#texts.slice(head, end));
    // The object at the margin is the whole file.
    if (text === '{' && this.#line(head).indent > 0) return text + this.#text(head + 1);
    // A method whose type parameters have lines of their own.
    if (/^[\w$]+<$/.test(text)) return `${text.slice(0, -1)}(`;
    return /^[\w$.]+\($/.test(text) && /^["'`]/.test(this.#text(head + 1)) ? text + this.#text(head + 1) : text;
  }

  /** Whether an item is a call with an argument on each line, unlike a function with a parameter on each. */
  #isCall(head: number, end: number): boolean {
    if (!/^[\w$.!]+\($/.test(this.#text(head))) return false;
    for (let at = head + 1; at < end; at += 1) if (this.#isOwn(head, at) && /[{:]$/.test(this.#text(at))) return false;
    return true;
  }

  /** The line after the last tag of a part of a page, whose content is often not indented. */
  #endOfTag(head: number, limit: number): number | undefined {
    const tag = this.#syntax.hasParts ? partAt(this.#texts[head]) : undefined;
    if (tag === undefined) return undefined;
    const last = this.#texts.slice(head + 1, limit).findIndex((text) => text.startsWith(`</${tag}>`));
    return last === -1 ? undefined : head + last + 2;
  }

  #endOfStatement(head: number, limit: number): number {
    const { before: depth, after, indent } = this.#line(head);
    const usesBrackets = this.#syntax.blocks === 'brackets';
    if (usesBrackets && PREPROCESSOR.test(this.#text(head))) return head + 1;
    let isClosed = usesBrackets && after <= depth && COMPLETE.test(this.#text(head));
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
        : line.indent === indent && this.#continuesAt(text, isClosed && !this.#text(end - 1).endsWith(')'));
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
    return CHAIN.test(text) || text.startsWith('>(') || (text.startsWith('{') && !isClosed);
  }

  /** The ranges of lines between the item's own ones. */
  #bodyRanges(head: number, end: number): readonly (readonly [number, number])[] {
    if (this.#endOfTag(head, end) === end) return end > head + 2 ? [[head + 1, end - 1]] : [];
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

/** A comment on its own. */
function leaf(level: Level, start: number, end: number): Item {
  return { start, head: start, end, identity: '', isMark: false, hasMarks: false, isComment: true, bodies: [], level };
}
