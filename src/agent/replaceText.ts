/** Replaces parts of a text as a model asks for it. */
import { diffArrays, structuredPatch } from 'diff';
import { isMark } from '../chat/apply/marks.ts';
import { patchOnce } from '../chat/apply/patchOnce.ts';
import { type ComparedLine, LineIds, similarity } from '../chat/apply/similarity.ts';
import { hunksBetween, MAX_COMPARED, withHunks } from '../chat/review/hunks.ts';
import { linesOf } from '../chat/review/lines.ts';
import type { DiffLine } from '../pages/chat/protocol.ts';

const MIN_SIMILARITY = 0.6;
/** A smaller share of the wanted lines is a coincidence. */
const MIN_SHARE = 0.3;
/** A line that is in more places says nothing about where the others are. */
const MAX_PLACES = 20;
/** With more pairs of lines, only equal ones count. */
const MAX_PAIRS = 1_000_000;

export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
}

/** The model's replacement does not fit. The message is for the model. */
export class ReplaceError extends Error {}

/** The text with its replacements, and notes for the model about those whose old text was not exact. */
export interface Replaced {
  readonly text: string;
  readonly notes: readonly string[];
}

/**
 * Applies the replacements one after the other. The old text must occur exactly once. If it does not occur, it is placed
 * like the code of an answer, where its lines are found once: they may differ in spaces, and up to two unchanged lines at
 * its beginning and end may differ a little. The new lines are indented like the lines of the file.
 * @throws {ReplaceError} that names the replacement and what to do.
 */
export function replaceAll(text: string, replacements: readonly Replacement[]): Replaced {
  const notes: string[] = [];
  const plain = text.replaceAll('\r\n', '\n');
  let current = plain;
  for (const [index, one] of replacements.entries()) {
    const replaced = replaceOne(current, one, index + 1);
    current = replaced.text;
    notes.push(...replaced.notes);
  }
  return { text: withLineBreaks(text, plain, current), notes };
}

/** Gives lines that are not changed their line breaks of before, and others those of the line that was there. */
function withLineBreaks(before: string, plain: string, after: string): string {
  if (before === plain) return after;
  const old = linesOf(before);
  const breakOf = (line: string | undefined) => (line?.endsWith('\r\n') === true ? '\r\n' : '\n');
  const hunks = hunksBetween(plain, after).map(({ start, oldLines, newLines }) => {
    const last = old[Math.max(0, start + oldLines.length - 1)] ?? old.at(-1);
    const broken = newLines.map((line, index) => {
      const replaced = index < oldLines.length ? old[start + index] : last;
      const like = replaced?.endsWith('\n') === true ? replaced : (old[start - 1] ?? old[0]);
      return line.endsWith('\n') ? line.slice(0, -1) + breakOf(like) : line;
    });
    return { start, oldLines, newLines: broken };
  });
  return withHunks(before, hunks);
}

function replaceOne(text: string, { oldText, newText }: Replacement, number: number): Replaced {
  if (oldText === '') throw new ReplaceError(`Edit ${number}: old_text is empty. Use create_file for a new file.`);
  const [wanted, put] = spellings(oldText, newText).find(([old]) => text.includes(old)) ?? [
    oldText.replaceAll('\r\n', '\n'),
    newText.replaceAll('\r\n', '\n'),
  ];
  const omission = put.split('\n').find((line) => isOmission(line) && !text.includes(line.trim()));
  if (omission !== undefined) throw omits(omission.trim(), number);
  const at = text.indexOf(wanted);
  if (at === -1) return replaceTyped(text, wanted, put, number) ?? replaceLines(text, wanted, put, number);
  if (text.indexOf(wanted, at + 1) !== -1) throw ambiguous(number);
  return { text: text.slice(0, at) + put + text.slice(at + wanted.length), notes: [] };
}

/** Characters that models write instead of those that a word processor has put into the file. */
const TYPED: Readonly<Record<string, string>> = { '“': '"', '”': '"', '„': '"', '‘': "'", '’': "'", '\u00A0': ' ' };

/** Finds a text whose quotes and spaces are typographic ones in the file. What it shares with the new text stays as it is. */
function replaceTyped(text: string, wanted: string, put: string, number: number): Replaced | undefined {
  const typed = (written: string) => written.replace(/[“”„‘’\u00A0]/g, (character) => TYPED[character] ?? character);
  const [plain, old] = [typed(text), typed(wanted)];
  const at = plain.indexOf(old);
  if (at === -1) return undefined;
  if (plain.indexOf(old, at + 1) !== -1) throw ambiguous(number);
  const shorter = Math.min(old.length, put.length);
  let start = 0;
  while (start < shorter && old[start] === put[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === put.at(-1 - end)) end += 1;
  const changed = put.slice(start, put.length - end);
  return { text: text.slice(0, at + start) + changed + text.slice(at + old.length - end), notes: [] };
}

/**
 * The texts as they are, with composed and decomposed accents, without the line numbers of the tool that reads files, and
 * without the entities that some models write for brackets.
 */
function spellings(oldText: string, newText: string): readonly (readonly [string, string])[] {
  const [old, put] = [oldText.replaceAll('\r\n', '\n'), newText.replaceAll('\r\n', '\n')];
  const bareOld = withoutNumbers(old);
  const forms = ['NFC', 'NFD'] as const;
  return [
    [old, put],
    ...forms.map((form) => [old.normalize(form), put.normalize(form)] as const),
    ...(bareOld === undefined ? [] : [[bareOld, withoutNumbers(put) ?? put] as const]),
    [withoutEntities(old), withoutEntities(put)],
  ];
}

function withoutEntities(text: string): string {
  const plain = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' } as const;
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: keyof typeof plain) => plain[name]);
}

/** Returns undefined unless all lines begin with a number and a tab, and the numbers count up. */
function withoutNumbers(text: string): string | undefined {
  const lines = text.replace(/\n$/, '').split('\n');
  const found = lines.map((line) => /^ *(\d+)\t(.*)$/.exec(line));
  const [first] = found;
  const counts = found.every((match, index) => match !== null && Number(match[1]) === Number(first?.[1]) + index);
  if (!counts) return undefined;
  return found.map((match) => match?.[2] ?? '').join('\n') + (text.endsWith('\n') ? '\n' : '');
}

function replaceLines(text: string, wanted: string, put: string, number: number): Replaced {
  const [oldLines, newLines] = [outerLines(wanted), outerLines(put)];
  const parts = diffArrays(oldLines, newLines, { maxEditLength: MAX_COMPARED }) ?? [
    { value: oldLines, added: false, removed: true },
    { value: newLines, added: true, removed: false },
  ];
  const hunk = parts.flatMap(({ value, added, removed }) =>
    value.map((line) => ({ kind: added ? 'added' : removed ? 'removed' : 'kept', text: line }) as const),
  );
  const patched = hunk.every(({ kind }) => kind === 'kept') ? 'missing' : patchOnce(text, hunk);
  if (patched === 'ambiguous') throw ambiguous(number);
  if (patched === 'missing') throw missing(text, wanted, number);
  const { start, count } = patched;
  const note = `old_text of edit ${number} differs a little from the file. It was found at ${linesText(start, start + count)}.`;
  return { text: patched.text, notes: [note] };
}

/** Dots alone are code in some languages. */
function isOmission(line: string): boolean {
  return isMark(line) && !/^\s*\.{3},?$/.test(line);
}

function omits(line: string, number: number): ReplaceError {
  return new ReplaceError(
    `Edit ${number}: new_text has “${line}”, which would be written into the file in place of its code. Replace only the lines that change, or write all lines.`,
  );
}

/** The lines of a text without empty ones at its beginning and end. */
function outerLines(text: string): string[] {
  const lines = text.split('\n');
  const isText = (line: string) => line !== '';
  return lines.some(isText) ? lines.slice(lines.findIndex(isText), lines.findLastIndex(isText) + 1) : [];
}

function ambiguous(number: number): ReplaceError {
  return new ReplaceError(`Edit ${number}: old_text occurs more than once. Add lines around it until it is unique.`);
}

/** Names the most similar lines, but not their text: the model may not have been allowed to read the file. */
function missing(text: string, wanted: string, number: number): ReplaceError {
  const similar = similarLines(text.split('\n'), outerLines(wanted));
  const place = similar && `The most similar part is ${linesText(similar.start, similar.end)}. `;
  return new ReplaceError(
    `Edit ${number}: old_text is not in the file. ${place ?? ''}Read the file again and copy the lines exactly.`,
  );
}

/** @param start counted from 0; `end` is exclusive. */
function linesText(start: number, end: number): string {
  return end - start === 1 ? `line ${end}` : `lines ${start + 1} to ${end}`;
}

/** The number of added and removed lines, and the lines themselves with a little context. */
export interface TextChange {
  readonly added: number;
  readonly removed: number;
  readonly lines: readonly DiffLine[];
}

export function changeOf(before: string, after: string, context = 2): TextChange {
  const patch = structuredPatch('', '', before, after, '', '', { context, maxEditLength: MAX_COMPARED });
  const hunks = patch?.hunks ?? [wholeChange(before, after)];
  const lines = hunks.flatMap(({ oldStart, newStart, lines: written }) => numbered(written, oldStart, newStart));
  const count = (kind: DiffLine['kind']) => lines.filter((line) => line.kind === kind).length;
  return { added: count('added'), removed: count('removed'), lines };
}

/** Replaces all lines, except the common ones at the beginning and end. */
function wholeChange(before: string, after: string) {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, now.length);
  let from = 0;
  while (from < shorter && old[from] === now[from]) from += 1;
  let end = 0;
  while (end < shorter - from && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const lines = (all: readonly string[], sign: string) =>
    all.slice(from, all.length - end).map((text) => `${sign}${text}`);
  return { oldStart: from + 1, newStart: from + 1, lines: [...lines(old, '-'), ...lines(now, '+')] };
}

function numbered(written: readonly string[], oldStart: number, newStart: number): DiffLine[] {
  let [oldLine, newLine] = [oldStart, newStart];
  return written.flatMap((line): DiffLine[] => {
    const text = line.slice(1);
    switch (line[0]) {
      case '+':
        return [{ kind: 'added', text, new: newLine++ }];
      case '-':
        return [{ kind: 'removed', text, old: oldLine++ }];
      case ' ':
        return [{ kind: 'same', text, old: oldLine++, new: newLine++ }];
      default:
        // The note that the file does not end with a line break.
        return [];
    }
  });
}

/** A half-open range of lines, counted from 0. */
interface SimilarLines {
  readonly start: number;
  readonly end: number;
}

/** Each wanted line that the text has, or a similar one, speaks for the place at which the wanted ones would begin. */
function similarLines(text: readonly string[], wanted: readonly string[]): SimilarLines | undefined {
  const ids = new LineIds();
  const [lines, all] = [text, wanted].map((side) => side.map((line) => ids.compare(line)));
  if (lines === undefined || all === undefined) return undefined;
  const equalOnly = ids.size * all.length > MAX_PAIRS;
  const places = Map.groupBy(lines.keys(), (index) => lines[index]?.id ?? -1);
  const scores = new Map<number, number>();
  for (const [offset, line] of all.entries()) {
    if (line.words.length === 0) continue;
    for (const [other, score] of alike(line, lines, places, equalOnly)) {
      const at = places.get(other) ?? [];
      if (at.length > MAX_PLACES) continue;
      for (const index of at) scores.set(index - offset, (scores.get(index - offset) ?? 0) + score);
    }
  }
  const [start, score] = [...scores].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0]);
  const whole = all.reduce((sum, { words, weight }) => sum + (words.length === 0 ? 0 : weight), 0);
  if (whole === 0 || score < whole * MIN_SHARE) return undefined;
  return { start: Math.max(0, start), end: Math.min(text.length, start + wanted.length) };
}

/** The lines that are like this one, by their ids. */
function alike(
  line: ComparedLine,
  lines: readonly ComparedLine[],
  places: ReadonlyMap<number, readonly number[]>,
  equalOnly: boolean,
): readonly (readonly [number, number])[] {
  if (equalOnly) return [[line.id, line.weight]];
  return [...places].flatMap(([id, [first]]) => {
    const other = lines[first ?? -1];
    const score = other === undefined ? 0 : similarity(line, other);
    return score >= MIN_SIMILARITY ? [[id, score * line.weight] as const] : [];
  });
}
