import type * as sqlite from 'node:sqlite';
import { errorText } from '../../display/errorText.ts';

/**
 * `unavailable`: this Node.js has no SQLite. `newer`: a later version of the product wrote the file. `damaged`: it is
 * no database, or a broken one. `failed`: the system said no, such as on a full disk.
 */
export type LedgerProblem = 'unavailable' | 'newer' | 'damaged' | 'failed';

/** Why there is no ledger, in words for a person. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  readonly problem: LedgerProblem;

  constructor(problem: LedgerProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

/**
 * Loaded at the first use, since not every Node.js that runs the rest has it.
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

/** The primary result codes of SQLite that need an answer of their own: sqlite.org/rescode.html. */
const BUSY: ReadonlySet<number> = new Set([5, 6]);
const DAMAGED: ReadonlySet<number> = new Set([11, 26]);

/** Whether another process was writing; the same may succeed a moment later. */
export function isBusy(error: unknown): boolean {
  return BUSY.has(resultCode(error) ?? 0);
}

/** The error of an operation on the file as a {@link LedgerError}. */
export function describeFailure(error: unknown, path: string): LedgerError {
  if (error instanceof LedgerError) return error;
  const cause = errorText(error);
  if (!DAMAGED.has(resultCode(error) ?? 0)) {
    return new LedgerError('failed', `The ledger ${path} cannot be used: ${cause}.`, { cause: error });
  }
  const message = `The ledger ${path} is damaged: ${cause}. Move the file away to start a new one.`;
  return new LedgerError('damaged', message, { cause: error });
}

/** The low byte is the primary code. */
function resultCode(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code & 0xff : undefined;
}
