/** A cursor and the text around it. Lines end with `\n`, whatever the document's line endings are. */
export interface CursorContext {
  /** The path of the file as the model is told, such as `src/quote.ts`. */
  readonly path: string;
  readonly languageId: string;
  readonly before: string;
  readonly after: string;
  /** What the editor indents a new line with, for a file whose text does not show it. */
  readonly indentUnit?: string | undefined;
}

/** The lines of a document. Reading one must not need the others, because documents can be long. */
export interface Lines {
  readonly count: number;
  at(line: number): string;
}

/** Around the cursor, in tokens. */
export interface PlaceBudget {
  readonly before: number;
  readonly after: number;
}

/** What is read of a single line, in characters. Minified files have lines of megabytes. */
const LONGEST_LINE = 2_000;

/**
 * The text before the cursor begins at a line with a multiple of this number while it fits, so that it begins with the
 * same line for many keys, and the caches of services that recognize an equal beginning stay valid.
 */
const STEP = 16;

/** @param countTokens estimates the tokens of a text. */
export function textAround(
  lines: Lines,
  cursor: { readonly line: number; readonly character: number },
  budget: PlaceBudget,
  countTokens: (text: string) => number,
): Pick<CursorContext, 'before' | 'after'> {
  const current = lines.at(cursor.line);
  const prefix = current.slice(Math.max(0, cursor.character - LONGEST_LINE), cursor.character);
  const suffix = current.slice(cursor.character, cursor.character + LONGEST_LINE);
  const first = firstLine(lines, cursor.line, budget.before - countTokens(prefix), countTokens);
  const last = lastLine(lines, cursor.line, budget.after - countTokens(suffix), countTokens);
  return {
    before: [...range(first, cursor.line).map((line) => readLine(lines, line)), prefix].join('\n'),
    after: [suffix, ...range(cursor.line + 1, last + 1).map((line) => readLine(lines, line))].join('\n'),
  };
}

function firstLine(lines: Lines, cursorLine: number, budget: number, countTokens: (text: string) => number): number {
  let first = cursorLine;
  let atStep: number | undefined;
  let left = budget;
  while (first > 0) {
    left -= countTokens(`${readLine(lines, first - 1)}\n`);
    if (left < 0) break;
    first -= 1;
    if (first % STEP === 0) atStep = first;
  }
  return first === 0 ? 0 : (atStep ?? first);
}

function lastLine(lines: Lines, cursorLine: number, budget: number, countTokens: (text: string) => number): number {
  let last = cursorLine;
  let left = budget;
  while (last + 1 < lines.count) {
    left -= countTokens(`\n${readLine(lines, last + 1)}`);
    if (left < 0) break;
    last += 1;
  }
  return last;
}

function readLine(lines: Lines, line: number): string {
  return lines.at(line).slice(0, LONGEST_LINE);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

/** The part of the cursor's line before the cursor. */
export function linePrefix({ before }: Pick<CursorContext, 'before'>): string {
  return before.slice(before.lastIndexOf('\n') + 1);
}

/** The part of the cursor's line after the cursor. */
export function lineSuffix({ after }: Pick<CursorContext, 'after'>): string {
  const end = after.indexOf('\n');
  return end === -1 ? after : after.slice(0, end);
}

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
