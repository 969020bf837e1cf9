/** Patterns of model names, in which `*` stands for any text. */

/** Whether the name matches one of the patterns, see {@link matches}. */
export function matchesAny(patterns: readonly string[], model: string): boolean {
  return patterns.some((pattern) => matches(pattern, model));
}

/**
 * Whether the name matches the pattern, in which `*` stands for any text, including none. Reads the name only once,
 * whatever the pattern, because callers choose the name.
 */
export function matches(pattern: string, model: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return model === first;
  if (!model.startsWith(first) || !model.endsWith(last) || model.length < first.length + last.length) return false;
  const end = model.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const found = model.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

export class ModelPatterns {
  readonly #patterns: readonly { readonly pattern: string; readonly weight: number }[];
  /** The patterns without `*`, which name exactly one model. */
  readonly names: readonly string[];

  constructor(patterns: readonly string[]) {
    this.#patterns = patterns.map((pattern) => ({ pattern, weight: weightOf(pattern) }));
    this.names = patterns.filter((pattern) => !pattern.includes('*'));
  }

  /** Returns how specific the best matching pattern is (higher is better), or `undefined` if none matches. */
  fit(model: string): number | undefined {
    const fitting = this.#patterns.filter(({ pattern }) => matches(pattern, model));
    const weights = fitting.map(({ weight }) => weight);
    return weights.length === 0 ? undefined : Math.max(...weights);
  }
}

/** Returns the value of the most specific pattern that matches, or `undefined` if none does. */
export function bestMatch<Value>(values: Readonly<Record<string, Value>>, model: string): Value | undefined {
  const fitting = Object.entries(values).filter(([pattern]) => matches(pattern, model));
  return fitting.toSorted(([a], [b]) => (weightOf(a) > weightOf(b) ? -1 : 1))[0]?.[1];
}

/** A full name is the most specific, then the pattern with the most literal characters. */
function weightOf(pattern: string): number {
  return pattern.includes('*') ? pattern.replaceAll('*', '').length : Number.POSITIVE_INFINITY;
}
