import type { DatabaseSync } from 'node:sqlite';
import { ensurePrivateDatabase } from '../../files/privateFiles.ts';
import { migrate } from './schema.ts';
import { describeFailure, loadSqlite } from './sqlite.ts';

/** While opening: another process may be making the file at the same moment. */
const OPENING_TIMEOUT_MS = 2000;
/** Afterwards: waiting blocks the thread, and what is not written now is written in the next batch. */
const WRITING_TIMEOUT_MS = 25;
/** Readers wait for nobody in WAL mode, but for a moment while a file recovers from the death of its writer. */
const READING_TIMEOUT_MS = 1000;

const LARGEST_JOURNAL_BYTES = 4 * 1024 * 1024;

/**
 * Opens the ledger and makes or updates it where needed. With `synchronous` at NORMAL in WAL mode a killed process
 * loses nothing that was committed, a power cut the last moments; neither damages the file.
 * @throws {LedgerError}
 */
export function openForWriting(path: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  return opened(path, () => {
    // Only its user may read what was spent.
    ensurePrivateDatabase(path);
    const database = new DatabaseSync(path, { timeout: OPENING_TIMEOUT_MS });
    return prepared(database, () => {
      database.exec('PRAGMA auto_vacuum = INCREMENTAL');
      database.exec('PRAGMA journal_mode = WAL');
      database.exec(`PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = ${LARGEST_JOURNAL_BYTES}`);
      migrate(database);
      database.exec(`PRAGMA busy_timeout = ${WRITING_TIMEOUT_MS}`);
    });
  });
}

/**
 * Opens it for queries only. A ledger that nobody has written yet is empty.
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
