/** JSON as received. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether a value is an object: neither `null` nor an array. */
export function isRecord(value: JsonValue | undefined): value is JsonObject;
export function isRecord(value: unknown): value is JsonRecord;
export function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How the escape of a half of a character begins in what `JSON.stringify` writes, which escapes no whole one. */
export const HALF = '\\ud';
/** The escape of a half of a character above U+FFFF, as a cut leaves it. Its backslash is not escaped itself. */
const HALF_CHARACTER = /\\ud[89a-f][\da-f]{2}(?<=(?:^|[^\\])(?:\\\\)*\\u.{4})/g;

/** Returns JSON that every server reads: many refuse a request with halves of characters. */
export function strictJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(HALF_CHARACTER, '\uFFFD');
}

/** The escapes of JSON: of both halves of a character, of one half, and all others. */
const ESCAPES = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|.)/g;

/** Returns JSON that somebody else has written as {@link strictJson} writes it: without halves of characters. */
export function withoutHalves(json: string): string {
  return json.replaceAll(ESCAPES, (whole, half) => (half === undefined ? whole : '\uFFFD'));
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Returns the object without its undefined members, because JSON has no undefined. */
export function defined<T extends object>(object: T): Defined<T> {
  const result: Partial<T> = {};
  for (const name in object) {
    if (object[name] !== undefined && name !== '__proto__') result[name] = object[name];
  }
  return result as unknown as Defined<T>;
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
