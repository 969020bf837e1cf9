/**
 * Characters that are not seen, change the order of those around them, or control a terminal. Tabs and line breaks are
 * not among them.
 */
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]/gu;

/** Replaces such characters with their names, such as `[U+202E]`, so that a question shows what is really there. */
export function withHiddenNamed(text: string): string {
  return text.replaceAll(HIDDEN, (character) => `[${nameOfCharacter(character)}]`);
}

/** Like {@link withHiddenNamed}, for a name that is shown in one line: line breaks in it would look like other texts. */
export function nameWithHidden(name: string): string {
  return withHiddenNamed(name).replaceAll(/[\t\n]/g, (character) => `[${nameOfCharacter(character)}]`);
}

/** The name of a character in Unicode's notation. */
export function nameOfCharacter(character: string): string {
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The first such character of a text, or undefined. */
export function firstHidden(text: string): string | undefined {
  return text.match(HIDDEN)?.[0];
}
