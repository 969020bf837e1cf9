/** Words that name no model: the vendor that the editor writes behind a name. */
const VENDOR = /\s*\([^()]*\)\s*$/;

/**
 * Finds the model that a file names, such as `Claude Sonnet 4.5 (copilot)`, `sonnet`, or an ID of the catalog. A name means
 * the newest model whose ID has all its words.
 * @param models the IDs of the catalog.
 */
export function modelNamed(name: string, models: readonly string[]): string | undefined {
  if (models.includes(name)) return name;
  const words = wordsOf(name.replace(VENDOR, ''));
  if (words.length === 0) return undefined;
  const matching = models.filter((id) => {
    const known = wordsOf(id);
    return words.every((word) => known.includes(word));
  });
  return matching.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))[0];
}

/** Numbers of versions are one word: `4.6` is not `4` and `6`. */
function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\d+(?:\.\d+)*|[a-z]+/g) ?? [];
}
