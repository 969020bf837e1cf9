import { matches } from '../core/modelPattern.ts';

/** Names of models, in which `*` stands for any characters. */
export class ModelPatterns {
  readonly #patterns: readonly { readonly pattern: string; readonly weight: number }[];
  /** The patterns that are the name of one model. */
  readonly names: readonly string[];

  constructor(patterns: readonly string[]) {
    this.#patterns = patterns.map((pattern) => ({ pattern, weight: weightOf(pattern) }));
    this.names = patterns.filter((pattern) => !pattern.includes('*'));
  }

  /** How closely a pattern names the model: the more the better, `undefined` when none does. */
  fit(model: string): number | undefined {
    const fitting = this.#patterns.filter(({ pattern }) => matches(pattern, model));
    const weights = fitting.map(({ weight }) => weight);
    return weights.length === 0 ? undefined : Math.max(...weights);
  }
}

/** A whole name weighs most, then what says most of it. */
function weightOf(pattern: string): number {
  return pattern.includes('*') ? pattern.replaceAll('*', '').length : Number.POSITIVE_INFINITY;
}
