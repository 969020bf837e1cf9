import { hash as digestOf, randomBytes } from 'node:crypto';
import type { SessionIds } from './ledgerEntry.ts';

const HASH_DIGITS = 16;

/** A session as identified by its client. Only kept in memory. */
export interface ClientSession {
  readonly session: string;
  readonly agent?: string;
  readonly turn?: string;
}

/** Returns the ID of a turn that the client does not identify, from the session's ID and the user's question. */
export function hashTurn(key: Uint8Array, sessionId: string, question: string): string {
  return hashWith(key, [sessionId, 'question', question]);
}

/**
 * Returns the IDs of a session as stored in the ledger.
 * @param key secret, so that a client's ID cannot be found by hashing guesses.
 * @param scope the local key's ID, so that two keys never share a session.
 */
export function hashSession(key: Uint8Array, scope: string, { session, agent, turn }: ClientSession): SessionIds {
  const hash = (...parts: readonly string[]) => hashWith(key, parts);
  return {
    sessionId: hash(scope, session),
    ...(agent !== undefined && { agentId: hash(scope, session, 'agent', agent) }),
    ...(turn !== undefined && { turnId: hash(scope, session, 'turn', turn) }),
  };
}

/** Returns what the ledger has in place of the name of a file or command. */
export function hashFile(key: Uint8Array, name: string): string {
  return hashWith(key, ['file', name]);
}

/** Prefix of the IDs that this process generates. */
const RANDOM_DIGITS = randomBytes(HASH_DIGITS / 4).toString('hex');
let count = 0;

/**
 * Returns an ID for a session or turn that the client does not identify. IDs are consecutive, because random ones would
 * be spread over all pages of the ledger's index, and each request would rewrite another page.
 */
export function newId(): string {
  count += 1;
  return `${RANDOM_DIGITS}${count.toString(16).padStart(HASH_DIGITS / 2, '0')}`;
}

/** Not an HMAC, which takes three times as long. A truncated hash cannot be extended without the key, either. */
function hashWith(key: Uint8Array, parts: readonly string[]): string {
  return digestOf('sha256', Buffer.concat([key, Buffer.from(JSON.stringify(parts))])).slice(0, HASH_DIGITS);
}
