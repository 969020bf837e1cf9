import type { DatabaseSync } from 'node:sqlite';

/**
 * Returns the secret for the hashes of session IDs, which was generated when the ledger's file was created or upgraded.
 */
export function readSessionKey(database: DatabaseSync): Uint8Array {
  const value = database.prepare('SELECT value FROM session_key').get()?.value;
  if (!(value instanceof Uint8Array)) throw new Error('it has no key for the hashes of sessions');
  return value;
}

/** Returns the cost of a session's requests, in billionths of a US dollar. */
export function spentOnSession(database: DatabaseSync, sessionId: string): number {
  return Number(
    database.prepare('SELECT total(cost) AS cost FROM exchanges WHERE session_id = ?').get(sessionId)?.cost,
  );
}
