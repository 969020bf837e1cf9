import { readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction, LedgerError } from './sqlite.ts';

/** In every time zone, days start on a multiple of a quarter of an hour. */
export const QUARTER_HOUR_MS = 15 * 60 * 1000;

/**
 * SQL condition for rows of `exchanges` that used tokens of unknown price. The cost of such a row is NULL, or only that
 * of its other attempts.
 */
export const UNPRICED = `(
  (input_tokens + output_tokens > 0 AND reported_cost IS NULL
    AND (cost IS NULL OR (attempts_cost IS NOT NULL AND input_price IS NULL)))
  OR (attempts_cost IS NOT NULL AND EXISTS (
    SELECT 1 FROM json_each(exchanges.attempts) AS attempt
    WHERE json_extract(attempt.value, '$.usage') IS NOT NULL AND json_extract(attempt.value, '$.cost') IS NULL)))`;

const SCHEMA = readFileSync(new URL('./schema.sql', import.meta.url), 'utf8');

/** Versions 1 to 19 were before the first release. */
export const SCHEMA_VERSION = 20;

/**
 * Creates the tables of a new ledger. If two processes do this at the same time, the second one finds it done.
 */
export function migrate(database: DatabaseSync): void {
  if (schemaVersion(database) === SCHEMA_VERSION) return;
  inTransaction(database, () => {
    if (schemaVersion(database) === SCHEMA_VERSION) return;
    database.exec(`${SCHEMA}; PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

/**
 * Must be called before anything is written to the file.
 * @throws {LedgerError} if it is the ledger of another version, or a database of another program.
 */
export function checkOrigin(database: DatabaseSync, path: string): void {
  const { version, isEmpty } = readOrigin(database);
  if (version > SCHEMA_VERSION) {
    throw new LedgerError(
      'newer',
      `The ledger has version ${version}, but this version of Model Access supports only version ${SCHEMA_VERSION}. Update Model Access.`,
    );
  }
  if (version === SCHEMA_VERSION || (version === 0 && isEmpty)) return;
  if (version > 0) {
    throw new LedgerError(
      'failed',
      `The ledger ${path} is from before the first release. Move the file away to start a new one.`,
    );
  }
  throw new LedgerError('failed', `The ledger ${path} cannot be used: it is a database of another program.`);
}

/** Reads both at the same point in time, because another process may be creating the tables. */
function readOrigin(database: DatabaseSync): { readonly version: number; readonly isEmpty: boolean } {
  database.exec('BEGIN');
  const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  const version = schemaVersion(database);
  database.exec('COMMIT');
  return { version, isEmpty };
}

function schemaVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

/**
 * Returns the secret for the hashes of session IDs, which was generated when the ledger's file was created.
 */
export function readSessionKey(database: DatabaseSync): Uint8Array {
  const value = database.prepare('SELECT value FROM session_key').get()?.value;
  if (!(value instanceof Uint8Array)) throw new Error('it has no key for the hashes of sessions');
  return value;
}
