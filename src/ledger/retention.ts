import type { DatabaseSync } from 'node:sqlite';
import { QUARTER_HOUR_MS } from './schema.ts';
import { inTransaction } from './sqlite.ts';
import { forgetRemoved } from './summary.ts';

export interface Retention {
  /** Older exchanges are removed. */
  readonly maxAgeMs: number;
  /** Maximum size of the file. The oldest exchanges are removed to stay below it. */
  readonly maxBytes: number;
}

export const DEFAULT_RETENTION: Retention = {
  maxAgeMs: 366 * 24 * 60 * 60 * 1000,
  maxBytes: 256 * 1024 * 1024,
};

/** A step of this size takes a few milliseconds, which does not noticeably delay a stream. */
const ROWS_PER_STEP = 1000;

/** Only rows that are included in the daily sums. */
const OLDEST = `
  SELECT number FROM exchanges WHERE at < :before AND number <= (SELECT up_to FROM summarised) ORDER BY at LIMIT :rows`;

/** What requests consisted of is larger than the rest of their rows, and removed first if the file is too large. */
const REMOVE_CONTEXTS = `
  UPDATE exchanges SET context = NULL
  WHERE number IN (SELECT number FROM exchanges WHERE context IS NOT NULL ORDER BY at LIMIT :rows)`;

/** Daily sums are kept for the whole maximum age, even if their exchanges were removed because of the file's size. */
const REMOVE_SUMS = [
  ...['daily', 'daily_times'].map(
    (table) => `DELETE FROM ${table} WHERE day < date(:oldest / 1000, 'unixepoch', 'localtime')`,
  ),
  'DELETE FROM balances WHERE at < :oldest',
];

/** Keeps the spending of the removed rows, which budgets still need. */
const KEEP_SUMS = `
  INSERT INTO pruned (local_key_id, at, input_tokens, output_tokens, cost, estimated, unconfirmed_cost)
  SELECT local_key_id, at - at % ${QUARTER_HOUR_MS} AS start, CAST(total(input_tokens) + total(attempts_input_tokens) AS INTEGER),
    CAST(total(output_tokens) + total(attempts_output_tokens) AS INTEGER), CAST(total(cost) AS INTEGER),
    sum(usage_is_estimated), CAST(total(unconfirmed_cost) AS INTEGER)
  FROM exchanges WHERE local_key_id IS NOT NULL AND number IN (${OLDEST}) GROUP BY local_key_id, start
  ON CONFLICT (local_key_id, at) DO UPDATE SET
    input_tokens = input_tokens + excluded.input_tokens,
    output_tokens = output_tokens + excluded.output_tokens,
    cost = cost + excluded.cost,
    estimated = estimated + excluded.estimated,
    unconfirmed_cost = unconfirmed_cost + excluded.unconfirmed_cost`;

/**
 * Removes a number of exchanges that exceed the maximum age or size, or what they consisted of, oldest first.
 * @returns whether there is more to remove.
 */
export function prune(database: DatabaseSync, { maxAgeMs, maxBytes }: Retention, now: number): boolean {
  const isTooLarge = usedBytes(database) > maxBytes;
  if (isTooLarge && removeContexts(database)) return true;
  const range = { before: isTooLarge ? Number.MAX_SAFE_INTEGER : now - maxAgeMs, rows: ROWS_PER_STEP };
  const removed = inTransaction(database, () => {
    database.prepare(KEEP_SUMS).run(range);
    const { changes } = database.prepare(`DELETE FROM exchanges WHERE number IN (${OLDEST})`).run(range);
    for (const statement of REMOVE_SUMS) database.prepare(statement).run({ oldest: now - maxAgeMs });
    forgetRemoved(database);
    return Number(changes);
  });
  if (removed > 0) database.exec('PRAGMA incremental_vacuum');
  return removed === ROWS_PER_STEP;
}

/** @returns whether some were removed. */
function removeContexts(database: DatabaseSync): boolean {
  const { changes } = database.prepare(REMOVE_CONTEXTS).run({ rows: ROWS_PER_STEP });
  if (Number(changes) > 0) database.exec('PRAGMA incremental_vacuum');
  return Number(changes) > 0;
}

/** Excludes free pages, which can be reused. */
function usedBytes(database: DatabaseSync): number {
  const read = (name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
  return (read('page_count') - read('freelist_count')) * read('page_size');
}
