/** The number of characters before and after the match. */
const BEFORE = 24;
const AFTER = 72;

/** Returns the text around the first match of the first of these words that is found: before, the match, and after. */
export function excerptOf(text: string, words: readonly string[]): readonly [string, string, string] | undefined {
  const lower = text.toLowerCase();
  for (const word of words) {
    const place = lower.indexOf(word.toLowerCase());
    // Lowercase text may be longer than the original. The positions would then differ.
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
