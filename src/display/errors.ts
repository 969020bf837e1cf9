/** Returns the code of a system error, such as `ENOENT`. */
export function errorCode(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** Returns whether this is a system error with the given code, as in `hasCode(error, 'ENOENT')`. */
export function hasCode(thrown: unknown, code: string): boolean {
  return errorCode(thrown) === code;
}

/** Returns an error's message, or any other thrown value as a string. */
export function errorText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
