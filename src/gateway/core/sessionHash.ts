import { hash as digestOf, randomBytes } from 'node:crypto';
import type { SessionIds } from './requestSession.ts';

const HASH_DIGITS = 16;

/** A session as its client names it. Only kept in memory. */
export interface ClientSession {
  readonly session: string;
  readonly agent?: string;
  readonly turn?: string;
}

/** The id of a turn that the client does not name, from the session's id and the user's question. */
export function hashTurn(key: Uint8Array, sessionId: string, question: string): string {
  return hashWith(key, [sessionId, 'question', question]);
}

/**
 * The ids of a session as the ledger keeps them.
 * @param key secret, so that nobody can find out a client's id by hashing guesses.
 * @param scope the local key's id, so that two keys never share a session.
 */
export function hashSession(key: Uint8Array, scope: string, { session, agent, turn }: ClientSession): SessionIds {
  const hash = (...parts: readonly string[]) => hashWith(key, parts);
  return {
    sessionId: hash(scope, session),
    ...(agent !== undefined && { agentId: hash(scope, session, 'agent', agent) }),
    ...(turn !== undefined && { turnId: hash(scope, session, 'turn', turn) }),
  };
}

/** Random digits for many ids: asking the system for those of each takes longer than all else about a session. */
let digits = '';
const DIGITS_AT_ONCE = 4096;

/** The id of a session that nobody names. */
export function randomSession(): SessionIds {
  if (digits === '') digits = randomBytes(DIGITS_AT_ONCE / 2).toString('hex');
  const sessionId = digits.slice(0, HASH_DIGITS);
  digits = digits.slice(HASH_DIGITS);
  return { sessionId };
}

/** Not an HMAC, which takes three times as long: a hash that is cut cannot be continued without the key either. */
function hashWith(key: Uint8Array, parts: readonly string[]): string {
  return digestOf('sha256', Buffer.concat([key, Buffer.from(JSON.stringify(parts))])).slice(0, HASH_DIGITS);
}
