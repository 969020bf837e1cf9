/** Applies a unified diff to a text, hunk by hunk, each where its lines are found. */

import { bare, lineBreakOf, linesOf } from '../review/lines.ts';
import { reindent } from './indentation.ts';
import { linePlaces } from './linePlaces.ts';
import type { DiffHunk, UnifiedDiffLine } from './unifiedDiff.ts';

export interface Patched {
  readonly text: string;
  /** Hunks whose lines are not in the text. */
  readonly rejectedHunks: readonly DiffHunk[];
}

/** The number of context lines at either end of a hunk that may differ, as in `patch`. */
export const MAX_DROPPED = 2;

/** The ways to compare two lines, the strictest first. */
export const READINGS: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim().replaceAll(/\s+/g, ' '),
];

/** A range of lines of the text, counted from 0, and the lines that replace it. */
interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

export function patch(text: string, hunks: readonly DiffHunk[]): Patched {
  const lines = linesOf(text).map(bare);
  const edits: LineEdit[] = [];
  const rejectedHunks: DiffHunk[] = [];
  /** The offset between the diff's line numbers and the text, from the last hunk found. */
  let offset = 0;
  for (const hunk of hunks) {
    const from = edits.at(-1)?.end ?? 0;
    const edit = fitted(lines, hunk, from, offset);
    if (edit === undefined) {
      if (!isThereAlready(lines, hunk)) rejectedHunks.push(hunk);
      continue;
    }
    if (hunk.start !== undefined) offset = edit.start - (hunk.start - 1);
    edits.push(edit);
  }
  return { text: withEdits(text, edits), rejectedHunks };
}

export function withEdits(text: string, edits: readonly LineEdit[]): string {
  const lines = linesOf(text);
  const lineBreak = lineBreakOf(text);
  let from = 0;
  const parts = edits.flatMap(({ start, end, lines: others }) => {
    const kept = lines.slice(from, start);
    from = end;
    return [...kept, ...others.map((line) => `${line}${lineBreak}`)];
  });
  const all = [...parts, ...lines.slice(from)];
  const ends = text === '' || text.endsWith('\n');
  return all
    .map((line, index) => (index < all.length - 1 && !line.endsWith('\n') ? `${line}${lineBreak}` : line))
    .map((line, index) => (index === all.length - 1 && !ends ? bare(line) : line))
    .join('');
}

/** Returns undefined if the hunk's lines are not found after `from`. */
function fitted(lines: readonly string[], hunk: DiffHunk, from: number, offset: number): LineEdit | undefined {
  for (let dropped = 0; dropped <= MAX_DROPPED; dropped += 1) {
    const shorter = withoutOuter(hunk.lines, dropped);
    if (shorter === undefined) return undefined;
    const { head, rest } = shorter;
    const old = oldLinesOf(rest);
    const expected = hunk.start === undefined ? from : hunk.start - 1 + offset + head;
    if (old.length === 0) return insertion(lines, rest, hunk, expected);
    for (const reading of READINGS) {
      const start = nearest(placesOf(old, lines, from, reading), expected);
      if (start !== undefined) return { start, end: start + old.length, lines: rewritten(lines, rest, start) };
    }
  }
  return undefined;
}

export function oldLinesOf(lines: readonly UnifiedDiffLine[]): string[] {
  return lines.filter(({ kind }) => kind !== 'added').map(({ text }) => text);
}

/** Removes context lines at both ends. Returns undefined if there are no more of them. */
export function withoutOuter(lines: readonly UnifiedDiffLine[], dropped: number) {
  const firstChange = lines.findIndex(({ kind }) => kind !== 'kept');
  const after = lines.length - 1 - lines.findLastIndex(({ kind }) => kind !== 'kept');
  const head = Math.min(dropped, firstChange);
  const tail = Math.min(dropped, after);
  if (dropped > 0 && head < dropped && tail < dropped) return undefined;
  const rest = lines.slice(head, lines.length - tail);
  // Without a context line to locate it, the hunk would fit anywhere.
  if (dropped > 0 && !rest.some(({ kind, text }) => kind !== 'added' && /\w/.test(text))) return undefined;
  return { head, rest };
}

/** Added lines without context go into an empty text, or to the diff's line number. */
function insertion(
  lines: readonly string[],
  added: readonly UnifiedDiffLine[],
  { start }: DiffHunk,
  expected: number,
): LineEdit | undefined {
  const isEmpty = lines.every((line) => line.trim() === '');
  const texts = added.map(({ text }) => text);
  if (isEmpty) return { start: 0, end: lines.length, lines: texts };
  if (start === undefined || expected + 1 > lines.length) return undefined;
  // Without old lines, the number is that of the line before.
  const place = start === 0 ? 0 : Math.max(0, expected + 1);
  return { start: place, end: place, lines: texts };
}

export function placesOf(
  wanted: readonly string[],
  lines: readonly string[],
  from: number,
  reading: (line: string) => string,
): number[] {
  return linePlaces(wanted.map(reading), lines.map(reading), from);
}

function nearest(places: readonly number[], expected: number): number | undefined {
  return [...places].sort((a, b) => Math.abs(a - expected) - Math.abs(b - expected))[0];
}

/** Keeps the text's version of unchanged lines. New lines get its indentation. */
export function rewritten(lines: readonly string[], hunk: readonly UnifiedDiffLine[], start: number): string[] {
  const old = hunk.filter(({ kind }) => kind !== 'added');
  const pairs = old.map(({ text }, index) => ({ line: lines[start + index] ?? '', code: text }));
  const indented = reindent(
    hunk.map(({ text }) => text),
    pairs,
  );
  let place = start - 1;
  return hunk.flatMap(({ kind }, index) => {
    if (kind !== 'added') place += 1;
    if (kind === 'removed') return [];
    return [kind === 'kept' ? (lines[place] ?? '') : (indented[index] ?? '')];
  });
}

/** Returns whether the text already contains the hunk's result. */
function isThereAlready(lines: readonly string[], { lines: hunk }: DiffHunk): boolean {
  const wanted = hunk.filter(({ kind }) => kind !== 'removed').map(({ text }) => text);
  if (!hunk.some(({ kind, text }) => kind === 'added' && text.trim() !== '')) return false;
  return placesOf(wanted, lines, 0, (line) => line.trimEnd()).length > 0;
}
