import type * as sqlite from 'node:sqlite';
import type { DatabaseSync } from 'node:sqlite';
import { errorText } from '../display/errors.ts';

/**
 * `unavailable`: this version of Node.js has no SQLite. `newer`: the file was written by a later version of the
 * product. `damaged`: the file is not a database, or a corrupt one. `failed`: the operating system returned an error,
 * for example because the disk is full.
 */
export type LedgerProblem = 'unavailable' | 'newer' | 'damaged' | 'failed';

/** The ledger cannot be used. The message is shown to the user. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  readonly problem: LedgerProblem;

  constructor(problem: LedgerProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

/**
 * Loads SQLite when it is first needed, because not every supported version of Node.js has it.
 * @throws {LedgerError} `unavailable`
 */
export function loadSqlite(): typeof sqlite {
  const module = process.getBuiltinModule?.('node:sqlite');
  if (module !== undefined) return module;
  throw new LedgerError(
    'unavailable',
    `The ledger needs node:sqlite, which is available from Node.js 22.13; this is ${process.versions.node}. ` +
      'Exchanges are not recorded.',
  );
}

/** SQLite's primary result codes that are handled separately: sqlite.org/rescode.html. */
const BUSY: ReadonlySet<number> = new Set([5, 6]);
const DAMAGED: ReadonlySet<number> = new Set([11, 26]);
const REFUSED_VALUE: ReadonlySet<number> = new Set([19, 20]);

/** Whether another process was writing. Retrying a moment later can succeed. */
export function isBusy(error: unknown): boolean {
  return BUSY.has(resultCode(error) ?? 0);
}

/** Whether the table does not accept a value, for example of another type. */
export function isRefusedValue(error: unknown): boolean {
  return REFUSED_VALUE.has(resultCode(error) ?? 0);
}

/** Converts the error of a file operation to a {@link LedgerError}. */
export function describeFailure(error: unknown, path: string): LedgerError {
  if (error instanceof LedgerError) return error;
  const cause = errorText(error);
  if (!DAMAGED.has(resultCode(error) ?? 0)) {
    return new LedgerError('failed', `The ledger ${path} cannot be used: ${cause}.`, { cause: error });
  }
  const message = `The ledger ${path} is damaged: ${cause}. Move the file away to start a new one.`;
  return new LedgerError('damaged', message, { cause: error });
}

/** The low byte is the primary result code. */
function resultCode(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code & 0xff : undefined;
}

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
