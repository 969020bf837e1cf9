/** What was thrown, in words: an error's own message, or anything else as a text. */
export function errorText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
