import { SECRET_PATTERNS } from './secretPatterns.ts';

const ALL = SECRET_PATTERNS.map(([, , { source, flags }]) => new RegExp(source, `${flags}g`));

/**
 * Replaces everything that looks like a key with `replacement`.
 * @returns the text, and the number of replacements.
 */
export function replaceKeys(text: string, replacement: string): { readonly text: string; readonly count: number } {
  let count = 0;
  const replace = () => {
    count += 1;
    return replacement;
  };
  return { text: ALL.reduce((rest, pattern) => rest.replace(pattern, replace), text), count };
}
