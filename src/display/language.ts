/** The language of the names of days and months. The texts themselves are in the bundle that `l10n` receives. */

/** Days before months, and 24-hour times, in all languages. */
const ENGLISH = 'en-GB';

let current = ENGLISH;

/** @param tag Such as `de` or `zh-cn`; the one in which the interface is shown, not the machine's. */
export function setLanguage(tag: string): void {
  current = tag === '' || tag === 'en' ? ENGLISH : tag;
}

export function language(): string {
  return current;
}
