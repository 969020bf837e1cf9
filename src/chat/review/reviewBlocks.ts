/** Divides a text into the parts that a review shows. */

import type { DecidedChange, OpenChange, ReviewBlock } from '../../pages/agentReview/protocol.ts';
import type { DiffLine } from '../../pages/chat/protocol.ts';
import type { Hunk } from './hunks.ts';
import { LineLimits } from './lineLimits.ts';
import { bare, linesOf } from './lines.ts';
import { type DecidedHunk, endOf, growthOf, inBase, type OpenHunk } from './textReview.ts';

/** The unchanged lines that are shown before and after an open change. */
const CONTEXT = 3;
/** The most characters of a line that are shown. */
const MAX_CHARACTERS = 1000;

/** Where the next part begins in the base, and by how much the file is longer up to there. */
interface BlockPosition {
  readonly line: number;
  readonly growth: number;
}

/**
 * @param base the text with all accepted changes, in which the changes are placed.
 */
export function reviewBlocks(
  base: string,
  open: readonly OpenHunk[],
  decided: readonly DecidedHunk[],
  limits = new LineLimits(),
): readonly ReviewBlock[] {
  const lines = linesOf(base);
  const stops = [...open, ...decided].sort((one, other) => one.start - other.start);
  let place: BlockPosition = { line: 0, growth: 0 };
  let previous: OpenHunk | DecidedHunk | undefined;
  const blocks: ReviewBlock[] = [];
  for (const stop of stops) {
    blocks.push(...between(lines, place, stop.start, [previous, stop]));
    place = { line: Math.max(place.line, stop.start), growth: place.growth };
    blocks.push(
      isDecided(stop)
        ? decidedBlock(stop, place)
        : limitedChange(stop.id, changedLines(stop, place.growth), limits.of(stop.id)),
    );
    place = isDecided(stop)
      ? { line: Math.max(place.line, stop.start + inBase(stop).length), growth: place.growth }
      : { line: Math.max(place.line, endOf(stop)), growth: place.growth + growthOf(stop) };
    previous = stop;
  }
  return [...blocks, ...between(lines, place, lines.length, [previous, undefined])];
}

/** The unchanged lines between two changes, without those that are far from both. */
function between(
  lines: readonly string[],
  { line, growth }: BlockPosition,
  end: number,
  [previous, next]: readonly [OpenHunk | DecidedHunk | undefined, OpenHunk | DecidedHunk | undefined],
): ReviewBlock[] {
  const after = Math.min(end, line + contextOf(previous));
  const before = Math.max(after, end - contextOf(next));
  const hidden = before - after;
  const isBetweenOpen = contextOf(previous) > 0 && contextOf(next) > 0;
  // A line takes no more room than the note that it is hidden.
  if (hidden === 0 || (isBetweenOpen && hidden === 1)) return blockOf(sameLines(lines, line, end, growth));
  const [head, tail] = [sameLines(lines, line, after, growth), sameLines(lines, before, end, growth)];
  return [...blockOf(head), ...(isBetweenOpen ? [{ type: 'gap', lines: hidden } as const] : []), ...blockOf(tail)];
}

function contextOf(stop: OpenHunk | DecidedHunk | undefined): number {
  return stop === undefined || isDecided(stop) ? 0 : CONTEXT;
}

function blockOf(lines: readonly DiffLine[]): ReviewBlock[] {
  return lines.length === 0 ? [] : [{ type: 'same', lines }];
}

function sameLines(lines: readonly string[], from: number, to: number, growth: number): DiffLine[] {
  return lines.slice(from, Math.max(from, to)).map((line, index) => ({
    kind: 'same',
    text: shown(line),
    old: from + index + 1,
    new: from + index + growth + 1,
  }));
}

/** The lines of a change of a whole file. */
export function wholeLines(hunks: readonly Hunk[]): readonly DiffLine[] {
  return hunks.flatMap((hunk) => changedLines(hunk, 0));
}

/** @param growth by how many lines the file is longer before the change. */
function changedLines({ start, oldLines, newLines }: Hunk, growth: number): readonly DiffLine[] {
  const removed = oldLines.map(
    (line, index): DiffLine => ({ kind: 'removed', text: shown(line), old: start + index + 1 }),
  );
  const added = newLines.map(
    (line, index): DiffLine => ({ kind: 'added', text: shown(line), new: start + growth + index + 1 }),
  );
  return [...removed, ...added];
}

/** A change with its first lines. */
export function limitedChange(id: string, lines: readonly DiffLine[], limit: number): OpenChange {
  return { type: 'change', id, lines: lines.slice(0, limit), hidden: Math.max(0, lines.length - limit) };
}

function decidedBlock(hunk: DecidedHunk, { growth }: BlockPosition): DecidedChange {
  const first = hunk.start + growth + 1;
  return {
    type: 'decided',
    id: hunk.id,
    decision: hunk.decision,
    lines: [first, first + Math.max(1, inBase(hunk).length) - 1],
    added: hunk.newLines.length,
    removed: hunk.oldLines.length,
  };
}

function isDecided(stop: OpenHunk | DecidedHunk): stop is DecidedHunk {
  return 'decision' in stop;
}

function shown(line: string): string {
  const text = bare(line);
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
