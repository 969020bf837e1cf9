import { type Hunk, hunksBetween, withHunks } from './hunks.ts';

export type Decision = 'accepted' | 'discarded';

/** A side of the comparison: the text with the accepted changes, or the text that also has the proposed ones. */
export type Side = 'before' | 'after';

/**
 * The changes of a proposal while the user decides on each. A decided change is no longer a difference between the two
 * sides: an accepted change is in both, a discarded one in neither.
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

  /** The open changes, from the top down. */
  get open(): readonly Hunk[] {
    return this.#hunks.filter((hunk) => !this.#decisions.has(hunk));
  }

  get accepted(): readonly Hunk[] {
    return this.#hunks.filter((hunk) => this.#decisions.get(hunk) === 'accepted');
  }

  decide(hunk: Hunk, decision: Decision): void {
    this.#decisions.set(hunk, decision);
  }

  /**
   * Decides on all open changes. If all are decided already, because writing them failed, decides on all of them again.
   */
  decideRest(decision: Decision): void {
    const rest = this.open.length > 0 ? this.open : this.#hunks;
    for (const hunk of rest) this.decide(hunk, decision);
  }

  text(side: Side): string {
    return withHunks(this.original, this.#shown(side));
  }

  /** Returns the open change at a line of one side, counted from 0, or else the next one, or else the last one. */
  openAt(side: Side, line: number): Hunk | undefined {
    return this.open.find((hunk) => line < this.#endOn(side, hunk)) ?? this.open.at(-1);
  }

  /** The line where a change begins on one side, counted from 0. */
  startOn(side: Side, hunk: Hunk): number {
    const before = this.#shown(side).filter(({ start }) => start < hunk.start);
    return before.reduce((line, { oldLines, newLines }) => line + newLines.length - oldLines.length, hunk.start);
  }

  /**
   * The line after a change on one side. A change without lines there counts as the line before which it is inserted.
   */
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
