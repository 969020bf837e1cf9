/** Builds the proposed text of a file from its text and the code of an answer. */

import { bare, isBlank, lineBreakOf, linesOf } from '../review/lines.ts';
import { type Alignment, align, type CodeLine } from './alignment.ts';
import { reindent } from './indentation.ts';
import { type Region, regionOf } from './region.ts';

/**
 * Puts the code where it belongs in the text: in place of all of it, of the part that it changes, or of the parts
 * around the lines that it omits (`// ... existing code ...`). The code gets the text's indentation and line breaks.
 * @returns undefined if the code is not found in the text.
 */
export function propose(text: string, code: string): string | undefined {
  const lines = linesOf(text);
  const codeLines = readCode(code, lines);
  if (codeLines.length === 0) return undefined;
  if (lines.every(isBlank)) return replaceLines(text, { start: 0, end: lines.length }, code);
  const bareLines = lines.map(bare);
  const alignment = align(bareLines, codeLines);
  const region = alignment && regionOf(bareLines, codeLines, alignment);
  if (alignment === undefined || region === undefined) return undefined;
  return assemble(text, lines, region, rewritten(lines, codeLines, alignment));
}

/** Replaces these lines with the code as it is, without comparing the two. */
export function replaceLines(text: string, region: Region, code: string): string {
  return assemble(text, linesOf(text), region, linesOf(trimmed(code)).map(bare));
}

/**
 * Reads the code without blank and elided lines at its ends. A line that the text itself contains is not a placeholder.
 */
function readCode(code: string, lines: readonly string[]): CodeLine[] {
  const known = new Set(lines.map((line) => line.trim()));
  const read = linesOf(code).map((line) => {
    const text = bare(line);
    return { text, elided: isElision(text) && !known.has(text.trim()) };
  });
  const says = ({ text, elided }: CodeLine) => !elided && !isBlank(text);
  return read.slice(read.findIndex(says), read.findLastIndex(says) + 1).filter(() => read.some(says));
}

function trimmed(code: string): string {
  const first = /\S/.exec(code)?.index ?? code.length;
  return code.slice(code.lastIndexOf('\n', first - 1) + 1).trimEnd();
}

/** Returns the region's new lines without line breaks: those of the code, and those of the text that it omits. */
function rewritten(lines: readonly string[], code: readonly CodeLine[], { pairs, kept }: Alignment): string[] {
  const equal = pairs.filter(({ similarity }) => similarity === 1);
  const indented = reindent(
    code.map(({ text }) => text),
    (equal.length === 0 ? pairs : equal).map((pair) => ({
      line: bare(lines[pair.line] ?? ''),
      code: code[pair.code]?.text ?? '',
    })),
  );
  return indented.flatMap((line, place) => {
    const range = kept.get(place);
    return range === undefined ? [line] : lines.slice(...range).map(bare);
  });
}

/** Replaces lines of the text. A line break at its end is kept. */
function assemble(text: string, lines: readonly string[], { start, end }: Region, inserted: readonly string[]): string {
  const lineBreak = lineBreakOf(text);
  const before = lines.slice(0, start).join('');
  const after = lines.slice(end).join('');
  const separator = before === '' || before.endsWith('\n') ? '' : lineBreak;
  const ends = after !== '' || text === '' || text.endsWith('\n');
  const middle = inserted.length === 0 ? '' : inserted.join(lineBreak) + (ends ? lineBreak : '');
  return before + separator + middle + after;
}

const COMMENT = /^(?:\/\/|#|--|;|\/\*|<!--|\{\/\*|%|')\s*(.*?)\s*(?:\*\/|-->|\*\/\})?$/;

const WORDS =
  /\b(?:existing|unchanged|rest of|remaining|remains?|same as before|as before|other|previous|omitted|keep)\b/i;

/** Without dots, only phrases with no further content count. */
const PHRASE =
  /^(?:the )?(?:existing code|rest of (?:the |your )?(?:file|code|function|class|method|component)|unchanged)(?: (?:remains|stays|is) (?:the same|unchanged|as is))?\.?$/i;

/**
 * Returns whether a line is a placeholder for omitted lines, such as `// ... existing code ...`. Three dots alone are
 * valid code in some languages.
 */
function isElision(line: string): boolean {
  const text = line.trim();
  const comment = COMMENT.exec(text)?.[1];
  if (comment === undefined) return /^(?:…|\[(?:\.\.\.|…)\])$/.test(text);
  if (PHRASE.test(comment)) return true;
  const dots = /\.\.\.|…/.exec(comment);
  if (dots === null) return false;
  const rest = comment.replace(/\.\.\.|…/g, '').trim();
  return rest === '' || WORDS.test(rest);
}
