/** Recognizes lines of an answer that are not code: marks for omitted lines, and markers of edit formats. */

import type { Syntax } from './syntax.ts';

const COMMENT = /^(?:\/\/+!?|#+|--+|;+|\/\*+|<!--+|\{\s*\/\*+|<%#|%|'|REM\b)\s*(.*?)\s*(?:\*+\/\s*\}?|--+>|%>)?$/i;

/** The longest line that can be a mark, in characters. The patterns would take too long on very long lines. */
const MAX_LENGTH = 300;

/** Words that say that lines stay as they are. */
const WORDS =
  /\b(?:existing|unchanged|rest of|remaining|remains?|same as before|as before|other|previous|omitted|unmodified|keep)\b/i;

/** Without dots, only phrases with no further content count. */
const PHRASE =
  /^[[({<\s-]*(?:the )?(?:(?:existing|original) (?:code|methods|functions|imports|content)(?: here)?|(?:rest of|remaining) (?:the |your |this )?(?:existing )?(?:file|code|functions?|class|methods?|component|module|content|implementation)|(?:code |everything )?unchanged(?: code)?|same as before|other (?:methods|functions|members|code))(?: (?:here|(?:remains?|stays?|is|are) (?:the same|unchanged|as is|as before)))?\.?[\])}>\s-]*$/i;

const DOTS = String.raw`(?:\.{3,}|…)`;
const BEGINS_WITH_DOTS = new RegExp(String.raw`^[\s([{<=-]*${DOTS}`);
const ENDS_WITH_DOTS = new RegExp(String.raw`${DOTS}[^\w]*$`);
const HAS_DOTS = new RegExp(DOTS);
const ONLY_DOTS = new RegExp(
  String.raw`^(?:${DOTS},?|[[({<]\s*${DOTS}\s*[\])}>],?|["']${DOTS}["']\s*:?\s*(?:["']?${DOTS}["']?)?,?)$`,
);
/** The same in brackets, or with the dots at the end. */
const REST_IN_WORDS = /^[[(]?(?:the )?(?:rest of|remaining|existing|unchanged|other)\b[^{}();=:]*(?:\.{3,}|…)[\])]?$/i;
/** A phrase in brackets without the signs of a comment. */
const IN_BRACKETS = /^(?:\[.*\]|<.*>)$/;
/** Words between dots without the signs of a comment, as answers write them in Markdown and in JSON. */
const WORDS_IN_DOTS = new RegExp(String.raw`^[*_([]*${DOTS}[^{}();=]*${DOTS}?[*_)\]]*$`);

/** What every mark contains. */
const MAY_BE_MARK = /\.\.\.|…|existing|original|rest of|remaining|unchanged|same as|other/i;

/** Whether a line is a mark for omitted lines, such as `// ... existing code ...`, if nothing else explains it. */
export function isMark(line: string): boolean {
  return isPlainMark(line) || isDottedComment(line);
}

/** A mark in a language with these comments. */
export function markIn({ lineComments, hasBlockComments }: Pick<Syntax, 'lineComments' | 'hasBlockComments'>): string {
  const [sign] = lineComments;
  const words = '... existing code ...';
  if (sign !== undefined) return `${sign} ${words}`;
  return hasBlockComments ? `/* ${words} */` : `<!-- ${words} -->`;
}

function isPlainMark(line: string): boolean {
  if (line.length > MAX_LENGTH || !MAY_BE_MARK.test(line)) return false;
  const text = line.trim();
  const comment = COMMENT.exec(text)?.[1];
  if (comment === undefined)
    return (
      ONLY_DOTS.test(text) ||
      (WORDS_IN_DOTS.test(text) && WORDS.test(text)) ||
      REST_IN_WORDS.test(text) ||
      (IN_BRACKETS.test(text) && PHRASE.test(text))
    );
  return PHRASE.test(comment) || /^(?:\.{3,}|…)$/.test(comment) || (HAS_DOTS.test(comment) && WORDS.test(comment));
}

/** A comment that begins with dots is a mark in any language. */
function isDottedComment(line: string): boolean {
  if (line.length > MAX_LENGTH || !HAS_DOTS.test(line)) return false;
  const comment = COMMENT.exec(line.trim())?.[1];
  return comment !== undefined && BEGINS_WITH_DOTS.test(comment);
}

/**
 * Returns the marks of a code by the index of their line. A line that the file has is ordinary text, and so is one that
 * continues a sentence in the comment line before it.
 */
export function marksIn(code: readonly string[], file: readonly string[]): ReadonlySet<number> {
  if (!code.some(isMark)) return new Set();
  const known = new Set(file.map((line) => line.trim()));
  const signsOf = (line = '') => /^\s*[^\s\w.…]*/.exec(line)?.[0].trim();
  const isAlike = (mark: string, line = '') =>
    line.length <= MAX_LENGTH && COMMENT.test(line.trim()) && !isMark(line) && signsOf(line) === signsOf(mark);
  const marks = code.flatMap((line, index) => {
    if (known.has(line.trim()) || !isMark(line)) return [];
    const neighbors = [code[index - 1], code[index + 1]].filter((other) => isAlike(line, other)).length;
    const isSentence = neighbors === 2 && !ENDS_WITH_DOTS.test(line);
    return (isPlainMark(line) && !isSentence) || neighbors === 0 ? [index] : [];
  });
  return new Set(marks);
}

const MARKER =
  /^\s*(?:<{7}(?: .*)?|>{7}(?: .*)?|={7}|\|{7}(?: .*)?|-{7} SEARCH>?|\+{7} REPLACE>?|\*{3} (?:Begin|End) Patch|\*{3} (?:Update|Add|Delete) File: .*)\s*$/;

/** What every marker contains but the one that is none on its own. */
const ANY_MARKER = /<{7}|>{7}|\|{7}|-{7} SEARCH|\+{7} REPLACE|\*{3} /;

/** Returns whether a line belongs to an edit format, or to a conflict of Git. */
function isMarker(line: string): boolean {
  return MARKER.test(line);
}

/** Lines that a text has more often than another one, and that must not be written to a file. */
export function hasNewMarkers(before: string, after: string): boolean {
  if (!ANY_MARKER.test(after)) return false;
  const known = new Set(before.split(/\r?\n/).map((line) => line.trim()));
  const markers = after.split(/\r?\n/).filter((line) => isMarker(line) && !known.has(line.trim()));
  // A row of equals signs underlines a heading. It is a marker beside another one only.
  return markers.some((line) => line.trim() !== '=======');
}

const SHORT =
  /^(.*?\{)\s*(?:\/[/*]\s*)?(?:\.{3}|…)[^{}]*\}\s*[,;]?$|^((?:async\s+)?def\b.*:)\s*(?:\.{3}|…)$|^(.*?)\s*=>\s*\{\s*(?:\.{3}|…)\s*\}[),;]*$/;

/** The head of an item whose block is omitted on its line, as in `find() { ... }`. */
export function shortHeadOf(line: string): string | undefined {
  const match = line.length > MAX_LENGTH || !HAS_DOTS.test(line) ? null : SHORT.exec(line);
  const head = match?.[1] ?? match?.[2] ?? match?.[3];
  // `{ ...rest }` is an object or a pattern.
  return head === undefined || /[=(,:[]\s*\{$/.test(head) || /\.{3}\w/.test(line) ? undefined : head;
}
