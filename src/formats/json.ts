import type { JsonObject, JsonValue } from './conversation.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether a value is an object: neither `null` nor an array. */
export function isRecord(value: JsonValue | undefined): value is JsonObject;
export function isRecord(value: unknown): value is JsonRecord;
export function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
