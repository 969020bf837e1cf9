import type { JsonObject, JsonValue } from './conversation.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether a value is an object: neither `null` nor an array. */
export function isRecord(value: JsonValue | undefined): value is JsonObject;
export function isRecord(value: unknown): value is JsonRecord;
export function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether the strings in a JSON value, with its names, have more characters than `limit`. A value counts as one more. */
export function isLongerThan(root: unknown, limit: number): boolean {
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
  return length > limit;
}
