/** What was asked for does not make sense. The message is one line for the person who typed it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
