/** Characters before and after the place. */
const BEFORE = 24;
const AFTER = 72;

/** What stands around the first place of the first of these words that is there: before, the word, and after. */
export function excerptOf(text: string, words: readonly string[]): readonly [string, string, string] | undefined {
  const lower = text.toLowerCase();
  for (const word of words) {
    const place = lower.indexOf(word.toLowerCase());
    // Lower case may be longer than upper case; where it is, the place would be another one.
    if (place === -1 || lower.length !== text.length) continue;
    const end = place + word.length;
    return [
      `${place > BEFORE ? '…' : ''}${inLine(text.slice(Math.max(0, place - BEFORE), place))}`,
      text.slice(place, end),
      inLine(text.slice(end, end + AFTER)),
    ];
  }
  return undefined;
}

function inLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
