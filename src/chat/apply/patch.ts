/** Applies the changes of a diff to a text, each where its lines are found. */

import { bare, indentOf, isBlank, lineBreakOf, linesOf } from '../review/lines.ts';
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
  // Models write typographic quotes and dashes as plain ones, and the other way round.
  (line) =>
    line
      .trim()
      .replaceAll(/[\s\u00A0]+/g, ' ')
      .replaceAll(/[‘’]/g, "'")
      .replaceAll(/[“”]/g, '"')
      .replaceAll(/[‐-―−]/g, '-'),
];

/** A range of lines of the text, counted from 0, and the lines that replace it. */
interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** A change may also be one of lines that another one has changed before. */
export function patch(text: string, hunks: readonly DiffHunk[]): Patched {
  const first = patchAtOnce(text, hunks);
  if (first.rejectedHunks.length === 0 || first.rejectedHunks.length === hunks.length) return first;
  const then = patchAtOnce(first.text, first.rejectedHunks);
  return then.rejectedHunks.length === first.rejectedHunks.length ? first : patch(first.text, first.rejectedHunks);
}

function patchAtOnce(text: string, hunks: readonly DiffHunk[]): Patched {
  const lines = linesOf(text).map(bare);
  const edits: LineEdit[] = [];
  const rejectedHunks: DiffHunk[] = [];
  /** The offset between the diff's line numbers and the text, from the last hunk found. */
  let offset = 0;
  for (const [index, hunk] of hunks.entries()) {
    const edit = fitted(lines, hunk, edits, { offset, repeats: repeatsOf(hunk, hunks.slice(index)) });
    if (edit === undefined) rejectedHunks.push(hunk);
    if (edit === undefined || edit === 'there') continue;
    if (hunk.start !== undefined) offset = edit.start - (hunk.start - 1);
    edits.push(edit);
  }
  return {
    text: withEdits(
      text,
      edits.sort((one, other) => one.start - other.start),
    ),
    rejectedHunks,
  };
}

/** How many of the hunks, of which it is one, look for the same lines. */
function repeatsOf({ lines }: DiffHunk, hunks: readonly DiffHunk[]): number {
  const old = oldLinesOf(lines).join('\n');
  return hunks.filter((other) => oldLinesOf(other.lines).join('\n') === old).length;
}

/** @param edits must be in order. */
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

/**
 * Returns `there` if the text already contains the change, and undefined if the hunk's lines are not found outside of earlier
 * edits, or nothing says which of several places is meant.
 */
function fitted(
  lines: readonly string[],
  hunk: DiffHunk,
  edits: readonly LineEdit[],
  { offset, repeats }: { readonly offset: number; readonly repeats: number },
): LineEdit | 'there' | undefined {
  for (let dropped = 0; dropped <= MAX_DROPPED; dropped += 1) {
    const shorter = withoutOuter(hunk.lines, dropped);
    if (shorter === undefined) return undefined;
    const { head, rest } = shorter;
    const old = oldLinesOf(rest);
    const from = edits.at(-1)?.end ?? 0;
    const expected = hunk.start === undefined ? undefined : hunk.start - 1 + offset + head;
    if (old.length === 0) return insertion(lines, rest, hunk, expected ?? from);
    for (const reading of READINGS) {
      const isFree = (start: number) => edits.every((edit) => start >= edit.end || start + old.length <= edit.start);
      const places = placesOf(old, lines, 0, reading).filter(isFree);
      const start = placeMeant(places, { expected, repeats, scope: scopeOf(lines, hunk, old.length), from });
      if (start !== undefined && isAddedAt(lines, rest, start, reading)) return 'there';
      if (start !== undefined) return { start, end: start + old.length, lines: rewritten(lines, rest, start) };
      if (places.length > 0) return undefined;
    }
    // With less context, a change that was made already would be made again.
    if (dropped === 0 && isThereAlready(lines, hunk)) return 'there';
  }
  return undefined;
}

/** What tells several places of a hunk's lines apart. */
interface PlaceHints {
  /** Where the hunk's number says that it begins. */
  readonly expected: number | undefined;
  /** The lines of the text that the hunk's heading names. */
  readonly scope: readonly number[];
  /** Where the hunk before ends; 0 for the first. */
  readonly from: number;
  /** The number of hunks that look for these lines. With as many places, each gets one. */
  readonly repeats: number;
}

/** A line number that is off by so much still tells places apart that are three times as far away. */
const CLEARLY_NEARER = 3;

function placeMeant(places: readonly number[], { expected, scope, from, repeats }: PlaceHints): number | undefined {
  const [first, ...others] = places;
  if (first === undefined || others.length + 1 === repeats || others.length === 0) return first;
  if (expected !== undefined) {
    const distance = (place: number) => Math.abs(place - expected);
    const [near, next] = [...places].sort((a, b) => distance(a) - distance(b));
    if (near !== undefined && next !== undefined && distance(near) * CLEARLY_NEARER < distance(next)) return near;
  }
  const [named] = scope;
  const inScope = named !== undefined && scope.length === 1 ? places.find((place) => place >= named) : undefined;
  if (inScope !== undefined) return inScope;
  const later = places.filter((place) => place >= from);
  return from > 0 && later.length === 1 ? later[0] : undefined;
}

/** The lines that the heading names, as in `@@ class Shelf` and `@@ -1,2 +1,2 @@ class Shelf`, at which the hunk may begin. */
function scopeOf(lines: readonly string[], { header }: DiffHunk, length: number): readonly number[] {
  const named = (/^@@[^@]*@@(.*)$/.exec(header)?.[1] ?? header.replace(/^@@/, '')).trim();
  if (!/\w/.test(named)) return [];
  return lines.flatMap((line, index) => (line.trim().startsWith(named) ? [Math.max(0, index + 1 - length)] : []));
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

/** Keeps the text's version of unchanged lines. New lines get its indentation. */
export function rewritten(lines: readonly string[], hunk: readonly UnifiedDiffLine[], start: number): string[] {
  const old = hunk.filter(({ kind }) => kind !== 'added');
  const pairs = old.map(({ text }, index) => ({ line: lines[start + index] ?? '', code: text }));
  const indented = reindent(
    hunk.map(({ text }) => text),
    pairs,
  );
  let place = start - 1;
  let removed: { readonly text: string; readonly line: string }[] = [];
  let added = 0;
  return hunk.flatMap(({ kind, text }, index) => {
    if (kind !== 'added') place += 1;
    const line = lines[place] ?? '';
    if (kind === 'removed') {
      removed = added > 0 ? [{ text, line }] : [...removed, { text, line }];
      added = 0;
      return [];
    }
    if (kind === 'kept') {
      [removed, added] = [[], 0];
      return [line];
    }
    const replaced = removed[added];
    added += 1;
    // Searched lines may have lost their indentation, each by another amount.
    const isAlike = replaced !== undefined && !isBlank(text) && indentOf(replaced.text) === indentOf(text);
    return [isAlike ? indentOf(replaced.line) + text.slice(indentOf(text).length) : (indented[index] ?? '')];
  });
}

/** Whether lines that are only added follow their context already. */
function isAddedAt(
  lines: readonly string[],
  hunk: readonly UnifiedDiffLine[],
  start: number,
  reading: (line: string) => string,
): boolean {
  if (hunk.some(({ kind }) => kind === 'removed')) return false;
  const added = hunk.filter(({ kind }) => kind === 'added').length;
  // They may be part of the context before or after the place where they would be added again.
  return [start, start - added].some((from) =>
    hunk.every(({ text }, index) => reading(lines[from + index] ?? '') === reading(text)),
  );
}

/** Returns whether the text already contains the hunk's result. */
function isThereAlready(lines: readonly string[], { lines: hunk }: DiffHunk): boolean {
  const wanted = hunk.filter(({ kind }) => kind !== 'removed').map(({ text }) => text);
  if (!hunk.some(({ kind, text }) => kind === 'added' && text.trim() !== '')) return false;
  return placesOf(wanted, lines, 0, (line) => line.trimEnd()).length > 0;
}
