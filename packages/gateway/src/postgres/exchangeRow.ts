import { COLUMN_NAMES } from '../../../../src/ledger/columns.ts';
import type { LedgerEntry } from '../../../../src/ledger/ledgerEntry.ts';
import { allValues, valuesOf } from '../../../../src/ledger/row.ts';

/** An exchange as a database row. `details` has the other columns of the ledger. */
export interface TeamExchangeRow {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly key: string | null;
  readonly team: string | null;
  readonly client: string | null;
  readonly model: string | null;
  readonly upstream: string | null;
  readonly status: number | null;
  readonly ended: string;
  /** Including the tokens of failed attempts that were billed. */
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  /** Billionths of a US dollar. */
  readonly cost: number | null;
  readonly is_estimated: boolean;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * @param cost the cost charged to the key, in billionths of a US dollar, if it differs from the cost by the entry's own
 *   prices.
 */
export function exchangeRow(entry: LedgerEntry, team: string | undefined, cost: number | undefined): TeamExchangeRow {
  const values = allValues(valuesOf(entry));
  const columns = Object.fromEntries(COLUMN_NAMES.map((name, place) => [name, writable(values[place])]));
  const { id, at, local_key_id, client, model, upstream, status, ended, input_tokens, output_tokens, ...rest } =
    columns;
  // Names of repositories stay in the ledger of a machine.
  const { cost: ofEntry, usage_is_estimated, repository: _, branch: __, ...details } = rest;
  return {
    ...{ id, at, client, model, upstream, status, ended },
    // Budgets in tokens count these sums. The tokens of the attempts alone are in the details.
    input_tokens: withAttempts(input_tokens, columns.attempts_input_tokens),
    output_tokens: withAttempts(output_tokens, columns.attempts_output_tokens),
    key: local_key_id,
    team: team ?? null,
    cost: cost ?? ofEntry,
    is_estimated: usage_is_estimated === 1,
    details: Object.fromEntries(Object.entries(details).filter(([, value]) => value !== null)),
  } as TeamExchangeRow;
}

function withAttempts(ofAnswer: unknown, ofAttempts: unknown): number | null {
  const known = [ofAnswer, ofAttempts].filter((count) => typeof count === 'number');
  return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0);
}

/** Callers choose some of the strings, and PostgreSQL accepts neither NUL characters nor lone surrogates. */
function writable(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD').toWellFormed() : value;
}
