import type { Accuracy } from '../core/usageEstimator.ts';

/** How much one report moves a factor: half at first, ever less, but never so little that a change goes unseen. */
const MIN_WEIGHT = 0.1;
/** What counts of one report, and what a factor may become: beyond it something else is wrong. */
const BOUNDS = { least: 0.4, most: 3 } as const;
/** Names of models come from callers. */
const MAX_MODELS = 500;
/** Errors are remembered of so many reports. */
const MAX_ERRORS = 50;

export interface Correction {
  /** The model's tokens for one of o200k. */
  readonly factor: number;
  /** How many reports are in it. */
  readonly reports: number;
  /** By which part our counts were off, of the last reports. */
  readonly errors?: readonly number[];
}

/**
 * For each model, how its own count compares with ours: the mean of what upstreams have reported, taken of logarithms
 * so that twice and half cancel out, with late reports weighing more.
 */
export class Corrections {
  readonly #corrections = new Map<string, Correction>();

  find(model: string): Correction | undefined {
    return this.#corrections.get(model);
  }

  /**
   * @param ratio the reported tokens for one of ours.
   * @param before what was believed without reports; it weighs as much as one.
   * @param error by which part our count was off before this report.
   */
  report(model: string, ratio: number, before: number, error?: number): void {
    const earlier: Correction = this.#corrections.get(model) ?? { factor: before, reports: 0 };
    const { factor, reports, errors = [] } = earlier;
    const known = error === undefined ? errors : [...errors, rounded(error)].slice(-MAX_ERRORS);
    const weight = Math.max(MIN_WEIGHT, 1 / (reports + 2));
    const mean = Math.log(factor) * (1 - weight) + Math.log(bound(ratio)) * weight;
    // The last learnt is the last forgotten.
    this.#corrections.delete(model);
    this.#corrections.set(model, {
      factor: bound(Math.exp(mean)),
      reports: reports + 1,
      ...(known.length > 0 && { errors: known }),
    });
    if (this.#corrections.size > MAX_MODELS) this.#forgetOldest();
  }

  /** Of the last reports that were compared; absent without any. */
  accuracy(model: string): Accuracy | undefined {
    const { errors = [] } = this.#corrections.get(model) ?? {};
    if (errors.length === 0) return undefined;
    return { error: errors.reduce((sum, error) => sum + error, 0) / errors.length, reports: errors.length };
  }

  /** From the longest without a report to the last. */
  entries(): Iterable<[model: string, correction: Correction]> {
    return this.#corrections.entries();
  }

  /** What was learnt before. What has been learnt since is kept. */
  restore(entries: readonly (readonly [model: string, correction: Correction])[]): void {
    for (const [model, { factor, reports, errors }] of entries.slice(-MAX_MODELS)) {
      const known = (Array.isArray(errors) ? errors : []).filter(Number.isFinite).slice(-MAX_ERRORS);
      if (this.#corrections.has(model)) continue;
      this.#corrections.set(model, { factor: bound(factor), reports, ...(known.length > 0 && { errors: known }) });
    }
  }

  #forgetOldest(): void {
    for (const model of this.#corrections.keys()) {
      this.#corrections.delete(model);
      return;
    }
  }
}

/** To a hundredth of a percent. */
function rounded(error: number): number {
  return Math.round(error * 1e4) / 1e4;
}

function bound(value: number): number {
  return Math.min(BOUNDS.most, Math.max(BOUNDS.least, value));
}
