import { asBuffer } from '../http/asBuffer.ts';
import { ObjectScanner } from '../http/objectScanner.ts';
import type { BodyMembers } from './clientSession.ts';

const NAMES: ReadonlySet<string> = new Set(['metadata', 'session_id', 'prompt_cache_key', 'conversation']);
const QUOTED_NAMES = [...NAMES].map((name) => `"${name}"`);

/**
 * The members of a JSON object that can identify a session. Most bodies contain none of the names, which a search of the
 * bytes finds out in microseconds; the others are scanned without being parsed.
 * @param body can be the beginning of a longer one.
 */
export function bodyMembers(body: Uint8Array): BodyMembers | undefined {
  const bytes = asBuffer(body);
  if (!QUOTED_NAMES.some((name) => bytes.includes(name))) return undefined;
  const scanner = new ObjectScanner(NAMES);
  scanner.push(bytes);
  return Object.fromEntries([...scanner.values].map(([name, value]) => [name, parseValue(value)]));
}

/** Undefined for a value that is not JSON, or that was too long to be kept whole. */
function parseValue(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
