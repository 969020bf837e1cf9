/** How much one report moves a factor: half at first, ever less, but never so little that a change goes unseen. */
const MIN_WEIGHT = 0.1;
/** What counts of one report, and what a factor may become: beyond it something else is wrong. */
const BOUNDS = { least: 0.4, most: 3 } as const;
/** Names of models come from callers. */
const MAX_MODELS = 500;

export interface Correction {
  /** The model's tokens for one of o200k. */
  readonly factor: number;
  /** How many reports are in it. */
  readonly reports: number;
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
   */
  report(model: string, ratio: number, before: number): void {
    const { factor, reports } = this.#corrections.get(model) ?? { factor: before, reports: 0 };
    const weight = Math.max(MIN_WEIGHT, 1 / (reports + 2));
    const mean = Math.log(factor) * (1 - weight) + Math.log(bound(ratio)) * weight;
    // The last learnt is the last forgotten.
    this.#corrections.delete(model);
    this.#corrections.set(model, { factor: bound(Math.exp(mean)), reports: reports + 1 });
    if (this.#corrections.size > MAX_MODELS) this.#forgetOldest();
  }

  /** From the longest without a report to the last. */
  entries(): Iterable<[model: string, correction: Correction]> {
    return this.#corrections.entries();
  }

  /** What was learnt before. What has been learnt since is kept. */
  restore(entries: readonly (readonly [model: string, correction: Correction])[]): void {
    for (const [model, { factor, reports }] of entries.slice(-MAX_MODELS)) {
      if (!this.#corrections.has(model)) this.#corrections.set(model, { factor: bound(factor), reports });
    }
  }

  #forgetOldest(): void {
    for (const model of this.#corrections.keys()) {
      this.#corrections.delete(model);
      return;
    }
  }
}

function bound(value: number): number {
  return Math.min(BOUNDS.most, Math.max(BOUNDS.least, value));
}
