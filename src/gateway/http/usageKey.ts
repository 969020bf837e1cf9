/** Finds the usage in the bytes of JSON without parsing the rest. */
import { isRecord, type JsonRecord, parseJson } from '../../formats/json.ts';
import { BACKSLASH, CLOSING_BRACE, COLON, firstVisible, OPENING_BRACE, QUOTE } from './jsonMeasure.ts';
import { QuotedWord } from './wordSearch.ts';

const KEY = new QuotedWord('usage');

/** Maximum length of a usage object, in bytes. */
const MAX_USAGE = 8 * 1024;

/**
 * Returns the position of the brace of an object with the key `usage`, at or after `from`, or -1. Within a JSON string,
 * the quotes of the key would be escaped. Other objects may contain such a key, too.
 */
export function findUsage(bytes: Buffer, from = 0): number {
  return findObject(bytes, KEY, from);
}

/** Like {@link findUsage}, for another key. */
export function findObject(bytes: Buffer, name: QuotedWord, from = 0): number {
  for (let key = name.indexIn(bytes, from); key !== -1; key = name.indexIn(bytes, key + name.length)) {
    const value = objectUnder(bytes, key, name);
    if (value !== -1) return value;
  }
  return -1;
}

/** Like {@link findUsage}, for the last one whose key ends at or before `end`. */
export function findLastUsage(bytes: Buffer, end = bytes.length): number {
  // Searching backwards takes several times as long, and most bytes have none.
  if (KEY.indexIn(bytes) === -1) return -1;
  for (let key = KEY.lastIndexIn(bytes, end); key !== -1; key = KEY.lastIndexIn(bytes, key)) {
    const value = objectUnder(bytes, key, KEY);
    if (value !== -1) return value;
  }
  return -1;
}

/** Returns the position of the brace after a key, or -1 if its value is not an object. */
function objectUnder(bytes: Buffer, key: number, name: QuotedWord): number {
  const colon = firstVisible(bytes, key + name.length);
  if (bytes[colon] !== COLON) return -1;
  const value = firstVisible(bytes, colon + 1);
  return bytes[value] === OPENING_BRACE ? value : -1;
}

/** Returns the last object with this key, in JSON whose beginning may be missing. */
export function lastUsage(bytes: Buffer): JsonRecord | undefined {
  let last: JsonRecord | undefined;
  for (let at = findUsage(bytes); at !== -1; at = findUsage(bytes, at)) last = objectAt(bytes, at) ?? last;
  return last;
}

function objectAt(bytes: Buffer, start: number): JsonRecord | undefined {
  const limit = Math.min(bytes.length, start + MAX_USAGE);
  let depth = 0;
  let inString = false;
  for (let at = start; at < limit; at++) {
    const byte = bytes[at];
    if (inString && byte === BACKSLASH) at++;
    else if (byte === QUOTE) inString = !inString;
    else if (byte === OPENING_BRACE && !inString) depth++;
    else if (byte === CLOSING_BRACE && !inString && --depth === 0) {
      const value = parseJson(bytes.toString('utf8', start, at + 1));
      return isRecord(value) ? value : undefined;
    }
  }
  return undefined;
}
