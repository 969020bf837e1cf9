import { type ContextReport, contextReport } from '../../../../../src/ledger/contextReport.ts';
import { CONTEXT_COLUMNS, contextRow } from '../../../../../src/ledger/contextRow.ts';
import type { DatabaseConnection } from '../connection.ts';
import { AdminError } from './adminError.ts';

export interface ContextReportQuestion {
  /** The ID or name of the key whose requests are added up. Undefined for all keys. */
  readonly key?: string;
  /** The ID of a session. Undefined for all sessions. */
  readonly session?: string;
  /** First and last day (inclusive), such as `2026-11-22`, in the database's time zone. */
  readonly from?: string;
  readonly to?: string;
}

const NUMBERS: ReadonlySet<string> = new Set(['cache_miss_cost', 'input_price', 'cached_input_price']);
const OWN: Readonly<Record<string, string>> = {
  id: 'e.id',
  at: '(extract(epoch FROM e.at) * 1000)::float8',
  client: 'e.client',
};

function columnOf(name: string): string {
  const value = OWN[name] ?? (NUMBERS.has(name) ? `(e.details ->> '${name}')::float8` : `e.details ->> '${name}'`);
  return `${value} AS ${name}`;
}

const ROWS = `
  SELECT ${CONTEXT_COLUMNS.map(columnOf).join(', ')} FROM exchange e
  WHERE e.details ? 'context' AND e.details ->> 'session_id' IS NOT NULL
    AND ($1::text IS NULL OR e.key = $1) AND ($2::text IS NULL OR e.details ->> 'session_id' = $2)
    AND e.day BETWEEN $3 AND $4 AND e.at > $3::date - interval '2 days' AND e.at < $4::date + interval '3 days'
  ORDER BY e.details ->> 'session_id', e.at, e.id`;

/**
 * Adds up what the requests of a key or a session consisted of.
 * @throws {AdminError} `unknown` if there is no such key.
 * @throws {DatabaseError}
 */
export async function reportContext(
  connection: DatabaseConnection,
  { key, session, from = '0001-01-01', to = '9999-12-01' }: ContextReportQuestion,
): Promise<ContextReport> {
  const keyId = key === undefined ? null : await idOf(connection, key);
  const rows = await connection.query(ROWS, [keyId, session ?? null, from, to]);
  return contextReport(
    rows.flatMap((row) => contextRow(row) ?? []),
    session ?? null,
  );
}

/** Revoked keys have requests, too. */
async function idOf(connection: DatabaseConnection, key: string): Promise<string> {
  const [row] = await connection.query(
    'SELECT id FROM api_key WHERE id = $1 OR lower(name) = lower($1) ORDER BY id = $1 DESC, revoked_at DESC NULLS FIRST',
    [key],
  );
  if (row === undefined) throw new AdminError('unknown', `There is no key "${key}".`);
  return String(row.id);
}
