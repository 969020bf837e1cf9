import { type AnswerForm, type AnswerText, codeIn, END_MARKERS } from './answerText.ts';
import { OPENS_BLOCK, unitOf, withUnitOfFile } from './indentation.ts';
import { endOfStart, isSameLine } from './looseText.ts';
import { indentOf, linePrefix, lineSuffix, type Place } from './place.ts';
import { ALL_CLOSERS, CLOSERS, type Mark, scan } from './syntax.ts';

/** Text to show at a cursor. */
export interface Suggestion {
  readonly text: string;
  /**
   * How many characters after the cursor the text replaces. They are closing brackets that the text contains, too.
   */
  readonly replaced: number;
}

/** What fits at a place. `line`: one line. `statement`: the line, and more while a bracket is open. `block`: a block. */
export type Shape = 'line' | 'statement' | 'block';

/** The longest suggestion, in lines. */
const MAX_LINES = 24;
/** An automatically closed bracket, a quote, and what follows them at the end of a statement. */
const ONLY_CLOSERS = /^[)\]}"'`;,:\s]*$/;
/** A line that ends a block by a word. It ends a block of the suggestion if it is as deep as the suggestion. */
const ENDS_BLOCK = /^(?:end|fi|done|esac|endif|endfunction)\b[;,)]*$/;

export function shapeOf(place: Place): Shape {
  const { ends } = scan(place.before, place.languageId);
  if (ends !== 'code' || !ONLY_CLOSERS.test(lineSuffix(place))) return 'line';
  const prefix = linePrefix(place);
  return prefix.trim() === '' || OPENS_BLOCK.test(prefix) ? 'block' : 'statement';
}

/** A place with the end of the text before the cursor from which brackets are counted: mostly its line. */
interface Spot extends Place {
  readonly context: string;
}

/** Only a line break, or the end of a tag or a fence, can complete a suggestion. */
const MAY_COMPLETE = /[\n>`~]/;

/** Reads an answer as it arrives, until nothing that follows can be shown. */
export class SuggestionReader {
  readonly #place: Spot;
  readonly #shape: Shape;
  readonly #form: AnswerForm;
  #answer = '';
  #found: Found = { isComplete: false };

  /** @param isFilledIn whether a model for filling in text answers, which writes nothing but the text. */
  constructor(place: Place, { isFilledIn = false, markers = [] }: Partial<AnswerForm> = {}) {
    const { lastLine } = scan(place.before, place.languageId);
    this.#place = { ...place, context: place.before.slice(lastLine) };
    this.#shape = shapeOf(place);
    // A file about such markers may have one in a suggestion.
    const isForeign = (marker: string) => !place.before.includes(marker) && !place.after.includes(marker);
    this.#form = { isFilledIn, markers: [...END_MARKERS, ...markers].filter(isForeign) };
  }

  /** Returns whether the suggestion is complete, so that the rest of the answer is not needed. */
  push(text: string): boolean {
    this.#answer += text;
    if (!MAY_COMPLETE.test(text)) return false;
    this.#found = this.#find(false, false);
    return this.#found.isComplete;
  }

  /**
   * The suggestion of an answer that has ended; undefined if nothing can be shown.
   * @param isCut whether more of the answer would have followed, so that its last line is not whole.
   */
  end(isCut = false): Suggestion | undefined {
    if (this.#found.isComplete) return this.#found.suggestion;
    return this.#find(true, isCut).suggestion;
  }

  #find(isFinal: boolean, isCut: boolean): Found {
    const { text, isComplete } = codeIn(this.#answer, this.#place.languageId, isFinal && !isCut, this.#form);
    return findIn({ text, isComplete }, this.#place, this.#shape, isFinal);
  }
}

interface Found {
  readonly suggestion?: Suggestion | undefined;
  readonly isComplete: boolean;
}

function findIn({ text, isComplete }: AnswerText, place: Spot, shape: Shape, isFinal: boolean): Found {
  const own = withoutRepetition(text, place, isComplete || isFinal);
  if (own === undefined) return { isComplete: false };
  const lines = withUnitOfFile(fitTo(own, place, shape), place).split('\n');
  // A line that is still being written may become a repetition, or a bracket may follow.
  const known = isComplete ? lines : lines.slice(0, -1);
  const cut = cutLines(known, place, shape, isComplete || isFinal);
  if (!isFinal && !cut.isComplete) return { isComplete: false };
  return { suggestion: placed(cut.text, place, shape), isComplete: true };
}

/** How many lines before the cursor are recognized in an answer that repeats them. */
const MAX_REPEATED = 5;

/**
 * Removes the text before the cursor from the beginning of an answer that repeats it. Returns undefined as long as what
 * follows decides whether it does.
 */
function withoutRepetition(text: string, { before }: Place, isWhole: boolean): string | undefined {
  const start = text.trimStart();
  const lines = before.split('\n');
  for (let count = MAX_REPEATED; count > 0; count -= 1) {
    const tail = lines.slice(-count).join('\n').trimStart();
    if (tail.trim().length < 2) continue;
    if (start.startsWith(tail)) return start.slice(tail.length);
    const end = endOfStart(start, tail);
    if (!isWhole && start !== '' && end === 'incomplete') return undefined;
    if (typeof end === 'number') return /\s$/.test(tail) ? start.slice(end).replace(/^[ \t]+/, '') : start.slice(end);
  }
  return text;
}

/** Gives the text the whitespace that the place needs at its beginning. */
function fitTo(text: string, place: Place, shape: Shape): string {
  const prefix = linePrefix(place);
  if (prefix.trim() === '') {
    const start = text.replace(/^(?:[ \t]*\n)+/, '');
    return start.startsWith(prefix) ? start.slice(prefix.length) : start.trimStart();
  }
  if (shape === 'line') return text.replace(/^\n+/, '');
  if (shape === 'statement') return text.startsWith('\n') ? '' : text;
  return text;
}

interface Cut {
  readonly text: string;
  readonly isComplete: boolean;
}

/** Takes the lines that belong to the place. */
function cutLines(lines: readonly string[], place: Spot, shape: Shape, isWhole: boolean): Cut {
  if (shape === 'line') return { text: lines[0] ?? '', isComplete: lines.length > 0 || isWhole };
  const taken: string[] = [];
  const following = followingLines(place);
  const limits = limitsOf(place, lines);
  const depths = depthsOf(lines, place);
  for (const [index, line] of lines.entries()) {
    const isLast = index === lines.length - 1;
    const end = endAt(line, index, { depths, following, limits, place, shape });
    if (end === 'before') return { text: balanced(taken, place), isComplete: true };
    taken.push(line);
    if (end === 'after' || taken.length === MAX_LINES) return { text: balanced(taken, place), isComplete: true };
    if (isLast && isWhole) return { text: balanced(taken, place), isComplete: true };
  }
  return { text: '', isComplete: isWhole };
}

/** The lines after the cursor's line that a repetition is recognized by. */
function followingLines({ after }: Place): readonly string[] {
  return after
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, 2);
}

interface Limits {
  /** The indentation of the block's lines, in characters. */
  readonly base: number;
  /** Whether the block's closing bracket is in the document already. */
  readonly isClosed: boolean;
}

function limitsOf(place: Place, lines: readonly string[]): Limits {
  const prefix = linePrefix(place);
  const isBlank = prefix.trim() === '';
  const inner = lines.find((line, index) => (index > 0 || isBlank) && line.trim() !== '') ?? '';
  const base = isBlank ? prefix.length : Math.max(indentOf(prefix).length + 1, indentOf(inner).length);
  const next = place.after
    .split('\n')
    .slice(1)
    .find((line) => line.trim() !== '');
  return { base, isClosed: ALL_CLOSERS.has(lineSuffix(place).trim().charAt(0)) || isClosedBy(next, base, place) };
}

/** Whether the next line that is not blank closes the block, or belongs to it, so that it is closed further down. */
function isClosedBy(next: string | undefined, base: number, place: Place): boolean {
  if (next === undefined) return false;
  const indent = indentOf(next).length;
  const prefix = linePrefix(place);
  if (ALL_CLOSERS.has(next.trim().charAt(0)) && indent < base) return true;
  return prefix.trim() !== '' && indent > indentOf(prefix).length;
}

interface Progress {
  /** See {@link depthsOf}. */
  readonly depths: readonly number[];
  readonly following: readonly string[];
  readonly limits: Limits;
  readonly place: Place;
  readonly shape: Shape;
}

/** Whether the suggestion ends before or after this line. */
function endAt(line: string, index: number, progress: Progress): 'before' | 'after' | undefined {
  const { depths, following, limits, place, shape } = progress;
  const text = line.trim();
  const isOpen = (depths[index - 1] ?? 0) > 0;
  if (index > 0 && text === '') return isOpen ? undefined : 'before';
  const isOwnEnd = ENDS_BLOCK.test(text) && indentIn(line, index, place) >= limits.base;
  if (index > 0 && text !== '' && !isOwnEnd && repeats(text, index, progress) && !isOpen) return 'before';
  if (text.length > 2 && index > 0 && !isOwnEnd && isSameLine(following[0] ?? '', text)) return 'before';
  const depth = depths[index] ?? 0;
  if (depth < 0) return extraCloser(index, limits, place);
  const starts = linePrefix(place).trim() === '' || index > 0;
  if (starts && text !== '' && !isOpen && indentIn(line, index, place) < limits.base)
    return index === 0 ? undefined : 'before';
  return shape === 'statement' && depth === 0 ? 'after' : undefined;
}

/** A line of only a bracket repeats the next one only where the block is closed already. */
function repeats(text: string, index: number, { following, limits }: Progress): boolean {
  const [next, second] = following;
  if (index === 0 || next === undefined || !isSameLine(text, next)) return false;
  return text.length > 2 || (limits.isClosed && second !== undefined);
}

/** A bracket that the text did not open: kept if the document does not have it yet, or has it after the cursor. */
function extraCloser(index: number, { isClosed }: Limits, place: Place): 'before' | 'after' {
  if (index === 0) return 'after';
  const suffix = lineSuffix(place).trim();
  return isClosed && suffix === '' ? 'before' : 'after';
}

function indentIn(line: string, index: number, place: Place): number {
  return index === 0 ? linePrefix(place).length : indentOf(line).length;
}

/** How many brackets are open after each line; negative from where one from before the cursor is closed. */
function depthsOf(lines: readonly string[], { context, languageId }: Spot): number[] {
  const { marks } = scan(context + lines.join('\n'), languageId, context.length);
  let [depth, lowest, next, end] = [0, 0, 0, context.length];
  return lines.map((line) => {
    end += line.length + 1;
    for (let mark = marks[next]; mark !== undefined && mark.at < end; mark = marks[next]) {
      depth += mark.kind === 'open' ? 1 : -1;
      lowest = Math.min(lowest, depth);
      next += 1;
    }
    return lowest < 0 ? lowest : depth;
  });
}

function depthAfter(text: string, place: Spot): number {
  return depthsOf([text], place)[0] ?? 0;
}

/** Leaves out lines at the end that leave a bracket or a string open, as in an answer that was cut off. */
function balanced(lines: readonly string[], place: Spot): string {
  const { context, languageId } = place;
  for (let count = lines.length; count > 0; count -= 1) {
    const text = lines.slice(0, count).join('\n').trimEnd();
    const isWhole = scan(context + text, languageId).ends !== 'string';
    if (depthAfter(text, place) <= 0 && isWhole && !leavesBlockOpen(text, languageId)) return text;
  }
  return '';
}

/** Whether a block without brackets begins in the last line. */
function leavesBlockOpen(text: string, languageId: string): boolean {
  return languageId === 'python' && /:\s*$/.test(text);
}

/** Fits the text to what is after the cursor on its line. */
function placed(text: string, place: Spot, shape: Shape): Suggestion | undefined {
  const suffix = lineSuffix(place);
  if (text.trim() === '') return undefined;
  const suggestion =
    shape === 'line' && !ONLY_CLOSERS.test(suffix) ? inLine(text, suffix, place) : beforeClosers(text, place, shape);
  if (suggestion === undefined || suggestion.text.trim() === '' || suggestion.text === suffix) return undefined;
  return suggestion;
}

/** Removes what the text repeats of the rest of the line. */
function inLine(text: string, suffix: string, place: Spot): Suggestion | undefined {
  const rest = suffix.trim();
  const whole = text.indexOf(rest);
  let cut = whole === -1 ? text : text.slice(0, whole);
  for (let length = Math.min(rest.length, text.length); whole === -1 && length > 0; length -= 1) {
    if (!text.endsWith(rest.slice(0, length))) continue;
    cut = text.slice(0, -length);
    break;
  }
  const kept = upToExtraCloser(cut, place);
  return depthAfter(kept, place) === 0 ? { text: kept, replaced: 0 } : undefined;
}

/** The text before the first bracket that it did not open. */
function upToExtraCloser(text: string, place: Spot): string {
  const extra = firstExtra(text, place);
  return extra === undefined ? text : text.slice(0, extra.at - place.context.length);
}

function firstExtra(text: string, { context, languageId }: Spot): Mark | undefined {
  let depth = 0;
  for (const mark of scan(context + text, languageId, context.length).marks) {
    depth += mark.kind === 'open' ? 1 : -1;
    if (depth < 0) return mark;
  }
  return undefined;
}

/** After the cursor, there are at most closing brackets, which the text may contain, too. */
function beforeClosers(text: string, place: Spot, shape: Shape): Suggestion | undefined {
  const suffix = lineSuffix(place).trimEnd();
  if (suffix.trim() === '') return { text: closed(opened(text, place, shape), place, shape), replaced: suffix.length };
  const extra = firstExtra(text, place);
  const tail = extra && text.slice(extra.at - place.context.length);
  if (tail?.startsWith(suffix.trim())) return { text, replaced: suffix.length };
  const kept = (tail === undefined ? text : upToExtraCloser(text, place)).trimEnd();
  if (!kept.includes('\n')) return { text: kept, replaced: 0 };
  // The closing bracket belongs on a line of its own.
  return { text: `${kept}\n${indentOf(linePrefix(place))}`, replaced: 0 };
}

/** Closes the bracket before the cursor, if neither the text nor the document does. */
function closed(text: string, place: Spot, shape: Shape): string {
  const prefix = linePrefix(place);
  const closer = CLOSERS[prefix.trimEnd().at(-1) ?? ''];
  if (shape !== 'block' || closer === undefined || depthAfter(text, place) < 0) return text;
  if (limitsOf(place, text.split('\n')).isClosed) return text;
  return text.includes('\n') ? `${text}\n${indentOf(prefix)}${closer}` : `${text}${closer}`;
}

/** Puts a block that the text writes behind its opening bracket on lines of its own. */
function opened(text: string, place: Spot, shape: Shape): string {
  const prefix = linePrefix(place);
  const isBehindOpener = shape === 'block' && /[{:]\s*$/.test(prefix);
  if (
    !isBehindOpener ||
    text.startsWith('\n') ||
    !text.includes('\n') ||
    firstExtra(text.split('\n', 1)[0] ?? '', place)
  )
    return text;
  const second = text.split('\n').find((line, index) => index > 0 && line.trim() !== '') ?? '';
  const unit = unitOf(`${place.before}\n${place.after}`) ?? place.indentUnit ?? '  ';
  const indent = indentOf(second).length > indentOf(prefix).length ? indentOf(second) : indentOf(prefix) + unit;
  return `\n${indent}${text.trimStart()}`;
}
