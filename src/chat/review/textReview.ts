import { createHash } from 'node:crypto';
import type { ReviewDecision } from '../../pages/agentReview/protocol.ts';
import { type Hunk, hunksBetween, withHunks } from './hunks.ts';
import { linesOf } from './lines.ts';

/** A change that is neither accepted nor discarded. It begins at a line of the base. */
export interface OpenHunk extends Hunk {
  readonly id: string;
}

/** A decided change. Its start is where its lines are in the base now, with all that was accepted. */
export interface DecidedHunk extends OpenHunk {
  readonly decision: ReviewDecision;
}

/** The accepted text of a file, and the file itself. They differ by the changes that are still open. */
export interface TextPair {
  readonly base: string;
  readonly current: string;
}

/**
 * The decisions about the changes of one text. An accepted change becomes part of the base, a discarded one is removed
 * from the file. In both cases it is no longer a difference.
 */
export class TextReview {
  #decided: readonly DecidedHunk[] = [];

  get decided(): readonly DecidedHunk[] {
    return this.#decided;
  }

  /**
   * Drops the decisions that the texts no longer show, because the run was restored, or the lines were changed again.
   * @param pair undefined if one of the texts does not exist.
   */
  dropOutdated(pair: TextPair | undefined): void {
    const lines = linesOf(pair?.base ?? '');
    const open = new Set(pair === undefined ? [] : this.open(pair).map(({ id }) => id));
    this.#decided = this.#decided.filter(
      (one) => pair !== undefined && hasLines(lines, one.start, inBase(one)) && !open.has(one.id),
    );
  }

  open({ base, current }: TextPair): readonly OpenHunk[] {
    return hunksBetween(base, current).map((hunk) => ({ ...hunk, id: this.#idOf(hunk) }));
  }

  /** Decides on some of the open changes. Returns the texts afterwards. */
  decide(pair: TextPair, ids: ReadonlySet<string>, decision: ReviewDecision): TextPair {
    const open = this.open(pair);
    const chosen = open.filter(({ id }) => ids.has(id));
    const rest = open.filter(({ id }) => !ids.has(id));
    const isAccepted = decision === 'accepted';
    const moved = isAccepted ? chosen : [];
    const decided = [...this.#decided, ...chosen.map((hunk) => ({ ...hunk, decision }))];
    this.#decided = decided.map((one) => ({ ...one, start: one.start + growthBefore(moved, one.start) })).sort(byStart);
    return isAccepted
      ? { base: withHunks(pair.base, chosen), current: pair.current }
      : { base: pair.base, current: withHunks(pair.base, rest) };
  }

  /** The open changes as changes of the file's text that remove them, from the top down. */
  removals(pair: TextPair, ids: ReadonlySet<string>): readonly OpenHunk[] {
    let growth = 0;
    return this.open(pair).flatMap((hunk) => {
      const { id, start, oldLines, newLines } = hunk;
      const removal = { id, start: start + growth, oldLines: newLines, newLines: oldLines };
      growth += growthOf(hunk);
      return ids.has(id) ? [removal] : [];
    });
  }

  /**
   * Takes a decision back. Returns undefined if its lines were changed meanwhile.
   * @param fits whether the texts afterwards can be written.
   */
  undo(pair: TextPair, id: string, fits: (undone: TextPair) => boolean = () => true): TextPair | undefined {
    const decided = this.#decided.find((one) => one.id === id);
    if (decided === undefined) return undefined;
    const undone = decided.decision === 'accepted' ? unaccepted(pair, decided) : undiscarded(pair, decided);
    if (undone === undefined || !fits(undone)) return undefined;
    const growth = decided.decision === 'accepted' ? growthOf(decided) : 0;
    this.#decided = this.#decided
      .filter((one) => one !== decided)
      .map((one) => (one.start > decided.start ? { ...one, start: one.start - growth } : one));
    return undone;
  }

  /** Names a change by its lines and where they were before anything was accepted, which no decision changes. */
  #idOf({ start, oldLines, newLines }: Hunk): string {
    const accepted = this.#decided.filter(({ decision }) => decision === 'accepted');
    const lines = createHash('sha256')
      .update(JSON.stringify([oldLines, newLines]))
      .digest('hex')
      .slice(0, 16);
    return `${start - growthBefore(accepted, start)}-${lines}`;
  }
}

function unaccepted({ base, current }: TextPair, { start, oldLines, newLines }: Hunk): TextPair | undefined {
  const replaced = replaceLines(base, start, newLines, oldLines);
  return replaced === undefined ? undefined : { base: replaced, current };
}

function undiscarded({ base, current }: TextPair, hunk: Hunk): TextPair | undefined {
  const open = hunksBetween(base, current);
  if (open.some((other) => other.start < endOf(hunk) && hunk.start < endOf(other))) return undefined;
  const start = hunk.start + open.filter((other) => endOf(other) <= hunk.start).reduce(addGrowth, 0);
  const replaced = replaceLines(current, start, hunk.oldLines, hunk.newLines);
  return replaced === undefined ? undefined : { base, current: replaced };
}

/** Returns undefined if the lines are not there. */
function replaceLines(text: string, start: number, from: readonly string[], to: readonly string[]): string | undefined {
  const lines = linesOf(text);
  if (!hasLines(lines, start, from)) return undefined;
  return [...lines.slice(0, start), ...to, ...lines.slice(start + from.length)].join('');
}

function hasLines(lines: readonly string[], start: number, wanted: readonly string[]): boolean {
  return start + wanted.length <= lines.length && wanted.every((line, index) => lines[start + index] === line);
}

/** The lines of a decided change that are in the base. */
export function inBase({ decision, oldLines, newLines }: DecidedHunk): readonly string[] {
  return decision === 'accepted' ? newLines : oldLines;
}

export function endOf({ start, oldLines }: Hunk): number {
  return start + oldLines.length;
}

/** The number of lines that the changes before a line add. */
function growthBefore(hunks: readonly Hunk[], line: number): number {
  return hunks.filter(({ start }) => start < line).reduce(addGrowth, 0);
}

export function growthOf({ oldLines, newLines }: Hunk): number {
  return newLines.length - oldLines.length;
}

function addGrowth(sum: number, hunk: Hunk): number {
  return sum + growthOf(hunk);
}

function byStart(one: Hunk, other: Hunk): number {
  return one.start - other.start;
}
