import type { DatabaseSync } from 'node:sqlite';

/** The secret that the ledger's file was created with, or upgraded with, for the hashes of sessions. */
export function readSessionKey(database: DatabaseSync): Uint8Array {
  const value = database.prepare('SELECT value FROM session_key').get()?.value;
  if (!(value instanceof Uint8Array)) throw new Error('The ledger has no key for the hashes of sessions.');
  return value;
}
