import { SECRET_PATTERNS } from './secretPatterns.ts';

const ALL = SECRET_PATTERNS.map(([, { source, flags }]) => new RegExp(source, `${flags}g`));

/** Puts `replacement` in the place of all that looks like a key. @returns the text, and how many there were. */
export function replaceKeys(text: string, replacement: string): { readonly text: string; readonly count: number } {
  let count = 0;
  const replace = () => {
    count += 1;
    return replacement;
  };
  return { text: ALL.reduce((rest, pattern) => rest.replace(pattern, replace), text), count };
}
