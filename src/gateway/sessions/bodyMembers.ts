import { parseJson } from '../../formats/json.ts';
import { SESSION_MEMBERS } from '../core/requestSession.ts';
import { shortObject } from '../http/jsonBody.ts';
import { ObjectScanner } from '../http/objectScanner.ts';
import { WordSearch } from '../http/wordSearch.ts';
import type { BodyMembers } from './clientSession.ts';

const QUOTED_NAMES = [...SESSION_MEMBERS].map((name) => new WordSearch(`"${name}"`));

/**
 * Returns an object with the members of a body that can identify a session, or `undefined` if it has none. Most long
 * bodies contain none of the names, which a byte search detects in microseconds.
 * @param body may be only the beginning of the body.
 */
export function bodyMembers(body: Buffer): BodyMembers | undefined {
  const whole = shortObject(body);
  if (whole !== undefined) {
    for (const name of SESSION_MEMBERS) if (whole[name] !== undefined) return whole;
    return undefined;
  }
  if (!QUOTED_NAMES.some((name) => name.isIn(body))) return undefined;
  const scanner = new ObjectScanner(SESSION_MEMBERS);
  scanner.push(body);
  return parsedMembers(scanner.values);
}

/** @param values JSON values by member name. A value that was too long to be kept whole is no JSON. */
export function parsedMembers(values: ReadonlyMap<string, string>): BodyMembers | undefined {
  if (values.size === 0) return undefined;
  return Object.fromEntries([...values].map(([name, value]) => [name, parseJson(value)]));
}
