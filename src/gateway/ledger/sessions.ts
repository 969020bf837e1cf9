import type { DatabaseSync } from 'node:sqlite';

/** The secret that the ledger's file was created with, or upgraded with, for the hashes of sessions. */
export function readSessionKey(database: DatabaseSync): Uint8Array {
  const value = database.prepare('SELECT value FROM session_key').get()?.value;
  if (!(value instanceof Uint8Array)) throw new Error('The ledger has no key for the hashes of sessions.');
  return value;
}

/** What the requests of a session have cost, in billionths of a US dollar. */
export function spentOnSession(database: DatabaseSync, sessionId: string): number {
  return Number(
    database.prepare('SELECT total(cost) AS cost FROM exchanges WHERE session_id = ?').get(sessionId)?.cost,
  );
}
