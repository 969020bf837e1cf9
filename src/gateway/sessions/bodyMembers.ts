import { SESSION_MEMBERS } from '../core/requestSession.ts';
import { asBuffer } from '../http/asBuffer.ts';
import { ObjectScanner } from '../http/objectScanner.ts';
import { WordSearch } from '../http/wordSearch.ts';
import type { BodyMembers } from './clientSession.ts';

const QUOTED_NAMES = [...SESSION_MEMBERS].map((name) => new WordSearch(`"${name}"`));

/**
 * Returns the members of a JSON object that can identify a session. Most bodies contain none of the names, which a byte
 * search detects in microseconds. Other bodies are scanned without being parsed.
 * @param body may be only the beginning of the body.
 */
export function bodyMembers(body: Uint8Array): BodyMembers | undefined {
  const bytes = asBuffer(body);
  if (!QUOTED_NAMES.some((name) => name.isIn(bytes, () => true))) return undefined;
  const scanner = new ObjectScanner(SESSION_MEMBERS);
  scanner.push(bytes);
  return parsedMembers(scanner.values);
}

/** @param values JSON values by member name. */
export function parsedMembers(values: ReadonlyMap<string, string>): BodyMembers | undefined {
  if (values.size === 0) return undefined;
  return Object.fromEntries([...values].map(([name, value]) => [name, parseValue(value)]));
}

/** Returns `undefined` if the value is not JSON, or if it was too long to be kept whole. */
function parseValue(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
