import { errorText } from '../../../../src/display/errors.ts';
import { isRecord } from '../../../../src/formats/json.ts';
import type { Refusal } from '../../../../src/gateway/core/refusal.ts';

/**
 * `away`: the database does not answer, or cannot at the moment; a retry can succeed. `data`: the values can never be
 * written. `unfit`: the gateway cannot use this database.
 */
export type DatabaseProblem = 'away' | 'data' | 'unfit';

/** A database operation failed. The message is a sentence for the user, without the database's address. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly problem: DatabaseProblem;

  constructor(problem: DatabaseProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

/** SQLSTATE classes of invalid values: https://www.postgresql.org/docs/current/errcodes-appendix.html. */
const DATA_CLASSES: ReadonlySet<string> = new Set(['22', '23']);

const SENTENCES: Readonly<Record<string, string>> = {
  '28000': 'PostgreSQL rejects the user of the database address.',
  '28P01': 'PostgreSQL rejects the password of the database address.',
  '3D000': 'The database in the database address does not exist.',
  '42501': 'The user of the database address lacks privileges. It must be able to create a schema and use it.',
  '25006': 'The database is read-only, like a standby.',
  '53100': 'The disk of the database is full.',
  '53300': 'PostgreSQL has no free connection. Raise max_connections, or run fewer replicas.',
};

/** Reports an error, unless the database is away, which whoever writes to it reports. */
export function reportUnlessAway(error: unknown, onProblem: (message: string) => void): void {
  const { problem, message } = databaseError(error);
  if (problem !== 'away') onProblem(message);
}

/** Converts an error of the driver to a {@link DatabaseError}. */
export function databaseError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const code = isRecord(error) && typeof error.code === 'string' ? error.code : '';
  const isOfServer = /^[0-9A-Z]{5}$/.test(code);
  if (isOfServer && DATA_CLASSES.has(code.slice(0, 2))) {
    return new DatabaseError('data', `The database refused a value: ${errorText(error)}.`, { cause: error });
  }
  const reason = SENTENCES[code] ?? `The database cannot be used: ${errorText(error)}.`;
  return new DatabaseError('away', reason, { cause: error });
}

/** Delay before a client should retry, in seconds. */
const RETRY_AFTER = '5';

/**
 * For keys with a budget and for unknown keys. The status is neither 401 nor 402, because clients treat those as final.
 */
export const DATABASE_AWAY: Refusal = {
  error: {
    kind: 'overloaded',
    status: 503,
    message:
      'The gateway cannot reach its database, so it cannot check this key or its budget. Nothing was sent or charged. Retry in a few seconds.',
  },
  headers: { 'retry-after': RETRY_AFTER },
  reason: 'the database is away',
};

export const SPOOL_FULL: Refusal = {
  error: {
    kind: 'overloaded',
    status: 503,
    message: 'The gateway cannot record requests at the moment: its database is unavailable and its spool is full.',
  },
  headers: { 'retry-after': RETRY_AFTER },
};
