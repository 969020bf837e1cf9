/** The command line is invalid. The message is one line for the user who typed it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
