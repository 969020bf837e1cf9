import type { JsonObject, JsonValue } from './conversation.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether a value is an object: neither `null` nor an array. */
export function isRecord(value: JsonValue | undefined): value is JsonObject;
export function isRecord(value: unknown): value is JsonRecord;
export function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a JSON value has a greater {@link lengthUpTo} than `limit`. */
export function isLongerThan(root: unknown, limit: number): boolean {
  return lengthUpTo(root, limit) > limit;
}

/**
 * Returns the number of characters of the strings in a JSON value, with its names. A value counts as one more. Above
 * `limit`, returns any number above it.
 */
export function lengthUpTo(root: unknown, limit: number): number {
  let length = 0;
  const waiting = [root];
  while (waiting.length > 0 && length <= limit) {
    const value = waiting.pop();
    length += 1;
    if (typeof value === 'string') length += value.length;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) {
      if (!Array.isArray(value)) length += name.length;
      waiting.push(member);
    }
  }
  return length;
}
