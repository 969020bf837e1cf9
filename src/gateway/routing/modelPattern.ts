/** Names of models, in which `*` stands for any characters. */
export class ModelPatterns {
  readonly #patterns: readonly { readonly matches: RegExp; readonly weight: number }[];
  /** The patterns that are the name of one model. */
  readonly names: readonly string[];

  constructor(patterns: readonly string[]) {
    this.#patterns = patterns.map((pattern) => ({ matches: compile(pattern), weight: weightOf(pattern) }));
    this.names = patterns.filter((pattern) => !pattern.includes('*'));
  }

  /** How closely a pattern names the model: the more the better, `undefined` when none does. */
  fit(model: string): number | undefined {
    const weights = this.#patterns.filter(({ matches }) => matches.test(model)).map(({ weight }) => weight);
    return weights.length === 0 ? undefined : Math.max(...weights);
  }
}

function compile(pattern: string): RegExp {
  // Stars in a row are one: each would multiply the ways to match.
  const parts = pattern.split(/\*+/).map((text) => text.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}

/** A whole name weighs most, then what says most of it. */
function weightOf(pattern: string): number {
  return pattern.includes('*') ? pattern.replaceAll('*', '').length : Number.POSITIVE_INFINITY;
}
