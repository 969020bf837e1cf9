/** Whether this is an error of the system with such a code, as in `hasCode(error, 'ENOENT')`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
