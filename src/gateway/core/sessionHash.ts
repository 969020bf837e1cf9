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

/** Of the ids of this process. */
const RANDOM_DIGITS = randomBytes(HASH_DIGITS / 4).toString('hex');
let count = 0;

/**
 * The id of a session or a turn that nobody names. They are counted: random ones would be spread over all pages of the
 * ledger's index, each of which is written again for one request.
 */
export function newId(): string {
  count += 1;
  return `${RANDOM_DIGITS}${count.toString(16).padStart(HASH_DIGITS / 2, '0')}`;
}

/** Not an HMAC, which takes three times as long: a hash that is cut cannot be continued without the key either. */
function hashWith(key: Uint8Array, parts: readonly string[]): string {
  return digestOf('sha256', Buffer.concat([key, Buffer.from(JSON.stringify(parts))])).slice(0, HASH_DIGITS);
}
