/** Builds the proposed text of a file from its text and the code of an answer. */

import { diffArrays } from 'diff';
import { MAX_COMPARED } from '../review/hunks.ts';
import { bare, indentOf, isBlank, lineBreakOf, linesOf } from '../review/lines.ts';
import { aligned, certainOr, lacksItems } from './alignment.ts';
import { UncertainMerge } from './doubts.ts';
import type { OpenPlace } from './gaps.ts';
import { isPackage } from './imports.ts';
import { itemsIn } from './items.ts';
import { marksIn } from './marks.ts';
import { Merge } from './merge.ts';
import { leavesGaps, leavesOrphans, losesImports } from './orphans.ts';
import { placesOf } from './placement.ts';
import { removedRuns, unshownRemovals } from './shownRemovals.ts';
import { type Item, type Structure, structureOf } from './structure.ts';
import { syntaxOf } from './syntax.ts';
import { isWhole } from './wholeFile.ts';

/** A half-open range of lines, counted from 0. */
export interface ReplacedLines {
  readonly start: number;
  readonly end: number;
}

/**
 * Puts the code where it belongs in the text: in place of all of it, of the items that it shows, or of the parts around
 * the lines that it omits (`// ... existing code ...`). The code gets the text's indentation and line breaks.
 * @param path The file's path, which tells its language.
 * @param place Where new items go whose place the code does not show.
 * @returns undefined if the code is not found in the text, or may belong to several places, or if lines would vanish
 * whose removal it does not show.
 */
export function propose(text: string, code: string, path?: string, place?: OpenPlace): string | undefined {
  const lines = linesOf(text);
  if (isBlank(code)) return undefined;
  if (lines.every(isBlank)) return replaceLines(text, { start: 0, end: lines.length }, code);
  const { file, answer } = structuresOf(text, code, path);
  try {
    if (!isComplete(file, answer)) return undefined;
    const isNew = isWhole(file, answer);
    const merged = isNew ? [...beginningOf(file, answer), ...answer.lines] : partsOf(file, answer, place);
    const markTexts = new Set([...answer.marks].map((mark) => answer.lines[mark]?.trim()));
    if (merged === undefined || merged.some((line) => markTexts.has(line.trim()))) return undefined;
    const runs = removedRuns(file.lines, merged);
    const removed = new Set(runs.flatMap((run) => run.lines));
    if (losesImports(file, answer, merged, removed)) return undefined;
    if (isNew) return withLineBreaks(text, merged);
    if (lacksShown(answer, merged)) return undefined;
    if (unshownRemovals(file, answer, merged, runs).length > 0) return undefined;
    // Who has chosen a place sees in the review what nothing uses any more.
    if (place === undefined && leavesOrphans(file, answer, merged, removed)) return undefined;
    const isPart = runs.length > 0 && merged.length > answer.lines.length;
    if (isPart && leavesGaps(file, answer, merged, removed)) return undefined;
    return withLineBreaks(text, merged);
  } catch (error) {
    if (error instanceof UncertainMerge) return undefined;
    throw error;
  }
}

/** Reads the structures of a file's text and the code of an answer. */
export function structuresOf(text: string, code: string, path: string | undefined) {
  const syntax = syntaxOf(path, text);
  const balanced = structureOf(text, syntax);
  const shown = withFirstIndentation(trimmed(code));
  const marks = marksIn(shown.split(/\r?\n/), balanced.lines);
  const whole = structureOf(shown, syntax, marks);
  // Both are read in the same way, so that the same items have the same structure.
  const isFlat = balanced.isBalanced !== whole.isBalanced;
  const file = isFlat && balanced.isBalanced ? structureOf(text, syntax, undefined, true) : balanced;
  const answer = isFlat && whole.isBalanced ? structureOf(shown, syntax, marks, true) : whole;
  return { file, answer };
}

/** Whether the code shows something, and its end. */
function isComplete(file: Structure, { hasMarkInText, isOpen, root }: Structure): boolean {
  if (hasMarkInText || root.items.every(({ isMark }) => isMark)) return false;
  // The end of the code is missing, unless a mark stands for it.
  return !file.isBalanced || !isOpen || root.items.at(-1)?.hasMarks === true;
}

/** The file with the parts that the answer shows: its items, or else lines of the file around the marks. */
function partsOf(file: Structure, answer: Structure, place?: OpenPlace): readonly string[] | undefined {
  return certainOr(
    () => mergedLines(file, answer, place),
    () => (answer.marks.size > 0 ? alignedFile(file, answer) : undefined),
  );
}

function alignedFile(file: Structure, answer: Structure): readonly string[] | undefined {
  const lines = aligned(file.lines, answer.lines, (line) => answer.marks.has(line), false);
  return lines && lacksItems(file.lines, lines, file.syntax) ? undefined : lines;
}

function mergedLines(file: Structure, answer: Structure, openPlace?: OpenPlace): readonly string[] | undefined {
  let current = file;
  let rest: readonly Item[] = answer.root.items;
  while (rest.length > 0) {
    const shown: Structure = { ...answer, root: { ...answer.root, items: rest } };
    const merge = new Merge(current, answer, openPlace);
    const chosen = openPlace === undefined ? [] : [{ level: current.root, items: rest }];
    const [place, ...others] = placesOf(current, shown, merge.matcher) ?? chosen;
    if (place === undefined) return undefined;
    const { level, items } = place;
    const lines = merge.level(level, items, true);
    const next = [...current.lines.slice(0, level.start), ...lines, ...current.lines.slice(level.end)];
    rest = others.flatMap((other) => other.items);
    if (rest.length === 0) return next;
    // Where the rest belongs is read again, since its level may be within this one.
    current = structureOf(next.join('\n'), file.syntax, undefined, !answer.isBalanced);
  }
  return undefined;
}

/** Whether the result lacks a line that the answer shows. */
function lacksShown({ lines, root }: Structure, merged: readonly string[]): boolean {
  const plain = (line: string) => line.trim().replace(/,$/, '');
  const written = new Set(merged.map(plain));
  const shown = [...itemsIn(root)].filter(
    ({ isMark, isComment, shortHead }) => !isMark && !isComment && shortHead === undefined,
  );
  return shown.some(({ head }) => !written.has(plain(lines[head] ?? '')));
}

/**
 * The lines before the first item: a comment at the beginning stays if the answer begins without one, and one apart from the
 * first item, such as a license, if the answer begins with the comment of that item. So does the package that a file belongs to
 * if the answer names none.
 */
function beginningOf(file: Structure, answer: Structure): readonly string[] {
  const inPackage = file.root.items.findLastIndex(isPackage);
  const next = file.root.items[inPackage + 1];
  if (inPackage !== -1 && next !== undefined && !answer.root.items.some(isPackage))
    return file.lines.slice(0, next.start);
  const first = file.root.items.find(({ isComment }) => !isComment);
  const shown = answer.root.items[0];
  const written = file.lines.findIndex((line) => !isBlank(line));
  if (first === undefined || shown === undefined || shown.isComment) return file.lines.slice(0, written);
  if (shown.head === shown.start) return file.lines.slice(0, first.head);
  const own = new Set(answer.lines.slice(shown.start, shown.head).map((line) => line.trim()));
  const before = file.lines.slice(0, first.start);
  return before.some((line) => /\w/.test(line) && own.has(line.trim())) ? file.lines.slice(0, written) : before;
}

/** Replaces these lines with the code as it is, without comparing the two. */
export function replaceLines(text: string, { start, end }: ReplacedLines, code: string): string {
  const lines = linesOf(text);
  const lineBreak = lineBreakOf(text);
  const before = lines.slice(0, start).join('');
  const after = lines.slice(end).join('');
  const separator = before === '' || before.endsWith('\n') ? '' : lineBreak;
  const ends = after !== '' || text === '' || text.endsWith('\n');
  const middle = linesOf(trimmed(code)).map(bare).join(lineBreak) + (ends ? lineBreak : '');
  return before + separator + middle + after;
}

function trimmed(code: string): string {
  const first = /\S/.exec(code)?.index ?? code.length;
  return code.slice(code.lastIndexOf('\n', first - 1) + 1).trimEnd();
}

/** A first line without the indentation that all others have gets it. */
function withFirstIndentation(code: string): string {
  // A bracket at the end does not close a function of Python.
  if (indentOf(code) !== '' || /^[^\n]*:\s*(?:#.*)?(?:\n|$)/.test(code)) return code;
  const written = code
    .split('\n')
    .slice(1)
    .filter((line) => !isBlank(line));
  const last = written.at(-1);
  if (last === undefined || indentOf(last) === '') return code;
  const least = written.map(indentOf).reduce((a, b) => (b.length < a.length ? b : a));
  return least.length > 0 && indentOf(last) === least && /^[)\]}]|^end\b/.test(last.trim()) ? least + code : code;
}

/** Lines that stay keep their line breaks. */
export function withLineBreaks(text: string, merged: readonly string[]): string {
  const lines = linesOf(text);
  const lineBreak = lineBreakOf(text);
  const ends = text.endsWith('\n');
  const isUniform = lines.every((line) => !line.endsWith('\n') || line.endsWith('\r\n') === (lineBreak === '\r\n'));
  const written = merged.findLastIndex((line) => !isBlank(line));
  const last = lines.findLastIndex((line) => !isBlank(line));
  const end = lines.slice(last + 1).map(bare);
  const all = [...merged.slice(0, written + 1), ...end];
  if (isUniform) return all.join(lineBreak) + (ends ? lineBreak : '');
  const parts = diffArrays(lines.map(bare), all, { maxEditLength: MAX_COMPARED });
  let at = 0;
  const broken = (parts ?? []).flatMap(({ value, added, removed }) => {
    const from = at;
    if (!added) at += value.length;
    if (removed) return [];
    return added ? value.map((line) => line + lineBreak) : lines.slice(from, at);
  });
  const joined = parts === undefined ? all.join(lineBreak) + lineBreak : broken.join('');
  return ends ? joined : joined.replace(/\r?\n$/, '');
}
