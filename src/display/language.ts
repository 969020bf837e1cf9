/** The language for the names of days and months. The texts themselves come from the bundle that `l10n` receives. */

/** English with days before months and 24-hour times. */
const ENGLISH = 'en-GB';

let current = ENGLISH;

/** @param tag the language of the interface, not of the machine, such as `de` or `zh-cn`. */
export function setLanguage(tag: string): void {
  current = tag === '' || tag === 'en' ? ENGLISH : tag;
}

export function language(): string {
  return current;
}
