import type { DatabaseSync } from 'node:sqlite';

/** Runs `work` in a transaction. Takes the write lock first, so that what `work` reads cannot change until the end. */
export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // Some errors have already rolled the transaction back.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
