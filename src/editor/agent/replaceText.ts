/** Replaces parts of a text as a model asks for it. */
import { diffArrays, structuredPatch } from 'diff';
import { align } from '../chat/apply/alignment.ts';
import { patchOnce } from '../chat/apply/patchOnce.ts';
import { regionOf } from '../chat/apply/region.ts';
import type { DiffLine } from '../chat/protocol.ts';
import { MAX_COMPARED } from '../chat/review/hunks.ts';
import { lineBreakOf } from '../chat/review/lines.ts';

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
  const eol = lineBreakOf(text);
  const notes: string[] = [];
  let current = text.replaceAll('\r\n', '\n');
  for (const [index, one] of replacements.entries()) {
    const replaced = replaceOne(current, one, index + 1);
    current = replaced.text;
    notes.push(...replaced.notes);
  }
  return { text: eol === '\n' ? current : current.replaceAll('\n', eol), notes };
}

function replaceOne(text: string, { oldText, newText }: Replacement, number: number): Replaced {
  const wanted = oldText.replaceAll('\r\n', '\n');
  const put = newText.replaceAll('\r\n', '\n');
  if (wanted === '') throw new ReplaceError(`Edit ${number}: old_text is empty. Use create_file for a new file.`);
  const at = text.indexOf(wanted);
  if (at === -1) return replaceLines(text, wanted, put, number);
  if (text.indexOf(wanted, at + 1) !== -1) throw ambiguous(number);
  return { text: text.slice(0, at) + put + text.slice(at + wanted.length), notes: [] };
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
  const lines = text.split('\n');
  const code = outerLines(wanted).map((line) => ({ text: line, elided: false }));
  const alignment = align(lines, code);
  const region = alignment && regionOf(lines, code, alignment);
  const place = region && `The most similar part is ${linesText(region.start, region.end)}. `;
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
