import { type AnswerText, codeIn, END_MARKERS, type SuggestionForm } from './answerText.ts';
import { withUnitOfFile } from './indentation.ts';
import { type CursorContext, indentOf, linePrefix, lineSuffix } from './place.ts';
import { type InlineSuggestion, placed } from './placed.ts';
import { type BlockLimits, depthAfter, depthsOf, limitsOf, type Shape, type Spot, shapeOf } from './spot.ts';
import { scan } from './syntax.ts';

/** The longest suggestion, in lines. */
const MAX_LINES = 24;
/** A line that ends a block by a word. It ends a block of the suggestion if it is as deep as the suggestion. */
const ENDS_BLOCK = /^(?:end|fi|done|esac|endif|endfunction)\b[;,)]*$/;

/** Only a line break, or the end of a tag or a fence, can complete a suggestion. */
const MAY_COMPLETE = /[\n>`~]/;

/** Reads an answer as it arrives, until nothing that follows can be shown. */
export class SuggestionReader {
  readonly #place: Spot;
  readonly #shape: Shape;
  readonly #form: SuggestionForm;
  #answer = '';
  #found: FoundSuggestion = { isComplete: false };

  /** @param isFilledIn whether a model for filling in text answers, which writes nothing but the text. */
  constructor(place: CursorContext, { isFilledIn = false, markers = [] }: Partial<SuggestionForm> = {}) {
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
  end(isCut = false): InlineSuggestion | undefined {
    if (this.#found.isComplete) return this.#found.suggestion;
    return this.#find(true, isCut).suggestion;
  }

  #find(isFinal: boolean, isCut: boolean): FoundSuggestion {
    const { text, isComplete } = codeIn(this.#answer, this.#place.languageId, isFinal && !isCut, this.#form);
    return findIn({ text, isComplete }, this.#place, this.#shape, isFinal);
  }
}

interface FoundSuggestion {
  readonly suggestion?: InlineSuggestion | undefined;
  readonly isComplete: boolean;
}

function findIn({ text, isComplete }: AnswerText, place: Spot, shape: Shape, isFinal: boolean): FoundSuggestion {
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
function withoutRepetition(text: string, { before }: CursorContext, isWhole: boolean): string | undefined {
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
function fitTo(text: string, place: CursorContext, shape: Shape): string {
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
function followingLines({ after }: CursorContext): readonly string[] {
  return after
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, 2);
}

interface Progress {
  /** See {@link depthsOf}. */
  readonly depths: readonly number[];
  readonly following: readonly string[];
  readonly limits: BlockLimits;
  readonly place: CursorContext;
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
function extraCloser(index: number, { isClosed }: BlockLimits, place: CursorContext): 'before' | 'after' {
  if (index === 0) return 'after';
  const suffix = lineSuffix(place).trim();
  return isClosed && suffix === '' ? 'before' : 'after';
}

function indentIn(line: string, index: number, place: CursorContext): number {
  return index === 0 ? linePrefix(place).length : indentOf(line).length;
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

/** Compares texts without regard to spaces that separate nothing, because models write `a+b` where a file has `a + b`. */

const WORD = /[\p{L}\p{N}_$]/u;
const SPACES = /[ \t]*/y;

/** Whether two lines differ in nothing but such spaces. */
function isSameLine(a: string, b: string): boolean {
  const [text, other] = [a.trim(), b.trim()];
  return endOfStart(text, other) === text.length;
}

/**
 * Returns where the part of `text` ends that is the same as `start`: `undefined` if it begins with another text,
 * `incomplete` if it ends before that is known.
 */
function endOfStart(text: string, start: string): number | 'incomplete' | undefined {
  let [at, wanted] = [0, 0];
  for (;;) {
    const [next, nextWanted] = [afterSpaces(text, at), afterSpaces(start, wanted)];
    if (nextWanted === start.length) return nextWanted > wanted && separates(text, at, next) ? undefined : at;
    if (next === text.length) return 'incomplete';
    if (text[next] !== start[nextWanted]) return undefined;
    const isSeparated = next > at === nextWanted > wanted;
    if (!isSeparated && WORD.test(text[at - 1] ?? '') && WORD.test(text[next] ?? '')) return undefined;
    [at, wanted] = [next + 1, nextWanted + 1];
  }
}

/** Whether a space is missing here that the other text has between two words. */
function separates(text: string, at: number, next: number): boolean {
  return at === next && WORD.test(text[at - 1] ?? '') && WORD.test(text[next] ?? '');
}

function afterSpaces(text: string, at: number): number {
  SPACES.lastIndex = at;
  SPACES.exec(text);
  return SPACES.lastIndex;
}
