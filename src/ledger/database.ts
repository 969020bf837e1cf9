import type { DatabaseSync } from 'node:sqlite';
import { ensurePrivateDatabase } from '../files/privateFiles.ts';
import { checkOrigin, migrate } from './schema.ts';
import { describeFailure, loadSqlite } from './sqlite.ts';

/** Timeout while opening, because another process may be creating the file at the same moment. */
const OPENING_TIMEOUT_MS = 2000;
/**
 * Timeout afterwards. Waiting blocks the thread, and an entry that cannot be written is written with the next batch.
 */
const WRITING_TIMEOUT_MS = 25;
/** Timeout of the last write before a ledger is closed, since there is no next batch. */
const CLOSING_TIMEOUT_MS = 2000;
/** In WAL mode, readers wait only briefly, while a file is recovered after its writer was killed. */
const READING_TIMEOUT_MS = 1000;

const MAX_JOURNAL_BYTES = 4 * 1024 * 1024;

/**
 * Opens the ledger, and creates or migrates it if necessary. With `synchronous = NORMAL` in WAL mode, a killed process
 * loses no committed transaction, and a power failure loses the last ones. Neither damages the file.
 * @throws {LedgerError}
 */
export function openForWriting(path: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  return opened(path, () => {
    // Spending is private, so only the user may read the file.
    ensurePrivateDatabase(path);
    const database = new DatabaseSync(path, { timeout: OPENING_TIMEOUT_MS });
    return prepared(database, () => {
      checkOrigin(database, path);
      database.exec('PRAGMA auto_vacuum = INCREMENTAL');
      database.exec('PRAGMA journal_mode = WAL');
      database.exec(`PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = ${MAX_JOURNAL_BYTES}`);
      migrate(database);
      database.exec(`PRAGMA busy_timeout = ${WRITING_TIMEOUT_MS}`);
    });
  });
}

/** Makes the last write wait for other writers. */
export function waitForOthers(database: DatabaseSync): void {
  database.exec(`PRAGMA busy_timeout = ${CLOSING_TIMEOUT_MS}`);
}

/**
 * Opens the ledger for queries only. If the file does not exist, an empty one is created.
 * @throws {LedgerError}
 */
export function openForReading(path: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  openForWriting(path).close();
  return opened(path, () => new DatabaseSync(path, { readOnly: true, timeout: READING_TIMEOUT_MS }));
}

function opened(path: string, open: () => DatabaseSync): DatabaseSync {
  try {
    return open();
  } catch (error) {
    throw describeFailure(error, path);
  }
}

function prepared(database: DatabaseSync, prepare: () => void): DatabaseSync {
  try {
    prepare();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
