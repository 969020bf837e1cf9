/** Determines the lines that a piece of code replaces. */

import { indentOf, isBlank } from '../review/lines.ts';
import type { Alignment, CodeLine } from './alignment.ts';

/** A half-open range of lines, counted from 0. */
export interface Region {
  readonly start: number;
  readonly end: number;
}

/** A smaller share of the code found in the text is taken for coincidence. */
const MIN_SHARE = 0.3;

/** Code that covers at least this share of a text replaces the whole text. */
const WHOLE_SHARE = 0.5;
const FEW_LINES = 3;

const CLOSER = /^\s*(?:[)\]}]|end\b|<\/)/;
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#|@|--|"""|<!--)/;

/** Returns undefined if the code is not found in the text. */
export function regionOf(
  lines: readonly string[],
  code: readonly CodeLine[],
  alignment: Alignment,
): Region | undefined {
  const { pairs, share } = alignment;
  const distinctive = pairs.filter(
    ({ line, similarity }) => similarity > 0.6 && /[\p{L}\p{N}]/u.test(lines[line] ?? ''),
  );
  const [first, last] = [pairs[0], pairs.at(-1)];
  if (first === undefined || last === undefined || distinctive.length === 0 || share < MIN_SHARE) return undefined;
  const start = withComments(lines, code, first.line, first.code);
  const end = Math.max(last.line + 1, endOfLastBlock(lines, code, alignment));
  return atEnds(lines, code, alignment, { start, end });
}

/** If the code begins with a comment, that comment replaces the one before the first line in the text. */
function withComments(lines: readonly string[], code: readonly CodeLine[], line: number, before: number): number {
  const brings = before > 0 && code.slice(0, before).some(({ text }) => COMMENT.test(text));
  let start = line;
  while (brings && start > 0 && COMMENT.test(lines[start - 1] ?? '')) start -= 1;
  return start;
}

/**
 * A function that the code shortens ends where it ends in the text: the last line of the code that begins a block at
 * the outer level, and is in the text, replaces its whole block. This does not apply if the code elides a part of that
 * block or ends within it.
 */
function endOfLastBlock(lines: readonly string[], code: readonly CodeLine[], { pairs }: Alignment): number {
  const outer = Math.min(...code.filter(({ text }) => !isBlank(text)).map(({ text }) => indentOf(text).length));
  const head = pairs.findLast(({ code: place }) => {
    const text = code[place]?.text ?? '';
    return !isBlank(text) && indentOf(text).length === outer && !CLOSER.test(text) && !COMMENT.test(text);
  });
  if (head === undefined || !isClosed(code) || code.slice(head.code).some(({ elided }) => elided)) return 0;
  return endOfBlock(lines, head.line);
}

/** Returns the line after the block that begins here: all lines with a deeper indentation, and the closing line. */
function endOfBlock(lines: readonly string[], head: number): number {
  const depth = indentOf(lines[head] ?? '').length;
  let end = head + 1;
  for (let place = head + 1; place < lines.length; place += 1) {
    const line = lines[place] ?? '';
    if (isBlank(line)) continue;
    const inner = indentOf(line).length > depth;
    const closes = indentOf(line).length === depth && CLOSER.test(line);
    if (!inner && !closes) break;
    end = place + 1;
    if (closes && !/[([{]\s*$/.test(line)) break;
  }
  return end;
}

/** Returns whether brackets are balanced. Those in strings and comments usually come in pairs as well. */
function isClosed(code: readonly CodeLine[]): boolean {
  const text = code.map((line) => line.text).join('\n');
  const count = (signs: RegExp) => text.match(signs)?.length ?? 0;
  return count(/[([{]/g) === count(/[)\]}]/g);
}

/** Code that covers most of a text also replaces its first and last lines, if the code has others there. */
function atEnds(
  lines: readonly string[],
  code: readonly CodeLine[],
  { pairs }: Alignment,
  { start, end }: Region,
): Region {
  const isMost = end - start >= lines.length * WHOLE_SHARE && pairs.length >= lines.length * WHOLE_SHARE;
  if (!isMost || code.some(({ elided }) => elided)) return { start, end };
  const newFirst = pairs[0]?.code ?? 0;
  const newLast = code.length - 1 - (pairs.at(-1)?.code ?? code.length - 1);
  const rest = lines.length - end;
  return {
    start: newFirst > 0 && start <= FEW_LINES ? 0 : start,
    end: newLast > 0 && rest <= FEW_LINES ? lines.length : end,
  };
}
