import { type Hunk, hunksBetween, withHunks } from './hunks.ts';

export type Decision = 'accepted' | 'discarded';

/** A side of the comparison: the text with what was accepted, and the text with what is still proposed. */
export type Side = 'before' | 'after';

/**
 * The changes of a proposal while someone decides about each. What is decided is no difference of the two sides any
 * more: an accepted change is in both, a discarded change in neither.
 */
export class ChangeReview {
  readonly original: string;
  readonly #hunks: readonly Hunk[];
  readonly #decisions = new Map<Hunk, Decision>();

  constructor(original: string, proposed: string) {
    this.original = original;
    this.#hunks = hunksBetween(original, proposed);
  }

  get count(): number {
    return this.#hunks.length;
  }

  /** From the top down. */
  get open(): readonly Hunk[] {
    return this.#hunks.filter((hunk) => !this.#decisions.has(hunk));
  }

  get accepted(): readonly Hunk[] {
    return this.#hunks.filter((hunk) => this.#decisions.get(hunk) === 'accepted');
  }

  decide(hunk: Hunk, decision: Decision): void {
    this.#decisions.set(hunk, decision);
  }

  /** Once all are decided, which is where a failed write leaves them, it decides about all of them again. */
  decideRest(decision: Decision): void {
    const rest = this.open.length > 0 ? this.open : this.#hunks;
    for (const hunk of rest) this.decide(hunk, decision);
  }

  text(side: Side): string {
    return withHunks(this.original, this.#shown(side));
  }

  /** The change that is meant at a line of one side, counted from 0: the one there, else the next, else the last. */
  openAt(side: Side, line: number): Hunk | undefined {
    return this.open.find((hunk) => line < this.#endOn(side, hunk)) ?? this.open.at(-1);
  }

  /** Where a change begins on one side, in lines counted from 0. */
  startOn(side: Side, hunk: Hunk): number {
    const before = this.#shown(side).filter(({ start }) => start < hunk.start);
    return before.reduce((line, { oldLines, newLines }) => line + newLines.length - oldLines.length, hunk.start);
  }

  /** The line after a change on one side; one without lines there is met by the line that it stands before. */
  #endOn(side: Side, hunk: Hunk): number {
    const lines = side === 'before' ? hunk.oldLines : hunk.newLines;
    return this.startOn(side, hunk) + Math.max(1, lines.length);
  }

  #shown(side: Side): readonly Hunk[] {
    return this.#hunks.filter((hunk) => {
      const decision = this.#decisions.get(hunk);
      return decision === 'accepted' || (decision === undefined && side === 'after');
    });
  }
}
