import { BoundedMap } from '../../rules/boundedMap.ts';
import type { Accuracy } from '../../rules/exchange.ts';

/** The weight of one report: half at first, then less, but never so little that a change goes unnoticed. */
const MIN_WEIGHT = 0.1;
/** Bounds of a report and of a factor. Values beyond them have another cause. */
const BOUNDS = { min: 0.4, max: 3 } as const;
/** Limited because names of models come from callers. */
const MAX_MODELS = 500;
const MAX_ERRORS = 50;

export interface Correction {
  /** The model's tokens for each token of o200k. */
  readonly factor: number;
  readonly reports: number;
  /** The deviations of our counts in the last reports, as fractions. */
  readonly errors?: readonly number[];
}

/**
 * For each model, the ratio of its own token count to ours. It is the mean of the upstreams' reports, taken over
 * logarithms so that double and half cancel out. Later reports weigh more.
 */
export class Corrections {
  readonly #corrections = new BoundedMap<string, Correction>(MAX_MODELS);

  find(model: string): Correction | undefined {
    return this.#corrections.get(model);
  }

  /**
   * @param ratio the reported tokens for each of ours.
   * @param before the factor assumed without reports. It weighs as much as one report.
   * @param error the deviation of our count before this report, as a fraction.
   */
  report(model: string, ratio: number, before: number, error?: number): void {
    const earlier: Correction = this.#corrections.get(model) ?? { factor: before, reports: 0 };
    const { factor, reports, errors = [] } = earlier;
    const known = error === undefined ? errors : [...errors, rounded(error)].slice(-MAX_ERRORS);
    const weight = Math.max(MIN_WEIGHT, 1 / (reports + 2));
    const mean = Math.log(factor) * (1 - weight) + Math.log(bound(ratio)) * weight;
    this.#corrections.set(model, {
      factor: bound(Math.exp(mean)),
      reports: reports + 1,
      ...(known.length > 0 && { errors: known }),
    });
  }

  /** The mean deviation of the last reports that were compared. Undefined if there are none. */
  accuracy(model: string): Accuracy | undefined {
    const { errors = [] } = this.#corrections.get(model) ?? {};
    if (errors.length === 0) return undefined;
    return { error: errors.reduce((sum, error) => sum + error, 0) / errors.length, reports: errors.length };
  }

  /** All models, the one without reports for the longest time first. */
  entries(): Iterable<[model: string, correction: Correction]> {
    return this.#corrections.entries();
  }

  /** Adds saved corrections. Newer ones are kept. */
  restore(entries: readonly (readonly [model: string, correction: Correction])[]): void {
    for (const [model, { factor, reports, errors }] of entries.slice(-MAX_MODELS)) {
      const known = (Array.isArray(errors) ? errors : []).filter(Number.isFinite).slice(-MAX_ERRORS);
      if (this.#corrections.has(model)) continue;
      this.#corrections.set(model, { factor: bound(factor), reports, ...(known.length > 0 && { errors: known }) });
    }
  }
}

/** Rounds to a hundredth of a percent. */
function rounded(error: number): number {
  return Math.round(error * 1e4) / 1e4;
}

function bound(value: number): number {
  return Math.min(BOUNDS.max, Math.max(BOUNDS.min, value));
}
