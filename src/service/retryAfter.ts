/** Reads the delay before a retry that the service requests. */

/**
 * Reads `retry-after-ms` (milliseconds), otherwise `retry-after` (seconds or an HTTP date).
 * @param now milliseconds since the epoch, with which a date is compared.
 * @returns milliseconds, not negative; undefined if the header is missing or invalid.
 */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const milliseconds = readNumber(headers.get('retry-after-ms'));
  if (milliseconds !== undefined) return Math.max(0, milliseconds);
  const text = headers.get('retry-after');
  const seconds = readNumber(text);
  if (seconds !== undefined) return Math.max(0, seconds * 1000);
  const date = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function readNumber(text: string | null): number | undefined {
  if (text === null || !/^\s*-?\d+(?:\.\d+)?\s*$/.test(text)) return undefined;
  return Number(text);
}
