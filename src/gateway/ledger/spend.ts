/** What was spent, summed by SQLite: a hundred thousand exchanges never become objects. */
import type { DatabaseSync } from 'node:sqlite';

/** Milliseconds since the epoch; `to` itself is outside. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** What sums can be told apart by. A `day` is one of the machine's time zone, such as `2026-11-21`. */
export type Dimension = 'day' | 'source' | 'localKey' | 'client' | 'model' | 'upstream' | 'format' | 'end';

export interface Totals {
  readonly exchanges: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
  /** Billionths of a US dollar, of the exchanges whose price is known. */
  readonly cost: number;
  /** Exchanges that used tokens of unknown price. */
  readonly unpriced: number;
}

/** One group; null where the exchanges of the group have no such value. */
export type SpendRow<By extends Dimension> = Totals & { readonly [Name in By]: string | null };

/** What a budget counts. */
export interface Spent {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Billionths of a US dollar. */
  readonly cost: number;
}

const COLUMN: Readonly<Record<Dimension, string>> = {
  day: "date(at / 1000, 'unixepoch', 'localtime')",
  source: 'source',
  localKey: 'local_key_id',
  client: 'client',
  model: 'model',
  upstream: 'upstream',
  format: 'format_in',
  end: 'ended',
};

/** `total` cannot overflow and is 0 for no rows. */
const TOTALS = `
  count(*) AS exchanges,
  total(input_tokens) AS inputTokens,
  total(output_tokens) AS outputTokens,
  total(cached_input_tokens) AS cachedInputTokens,
  total(cache_write_tokens) AS cacheWriteTokens,
  total(reasoning_tokens) AS reasoningTokens,
  total(cost) AS cost,
  count(*) FILTER (WHERE input_tokens + output_tokens > 0 AND cost IS NULL) AS unpriced`;

/** One row for each group that has exchanges in the period, in the order of the groups. */
export function spendBy<By extends Dimension>(
  database: DatabaseSync,
  { from, to }: Period,
  by: readonly By[],
): SpendRow<By>[] {
  const columns = by.map((name) => `${COLUMN[name]} AS "${name}", `).join('');
  const places = by.map((_, place) => place + 1).join(', ');
  const grouping = by.length === 0 ? '' : `GROUP BY ${places} ORDER BY ${places}`;
  const query = `SELECT ${columns}${TOTALS} FROM exchanges WHERE at >= ? AND at < ? ${grouping}`;
  return database
    .prepare(query)
    .all(from, to)
    .map((row) => ({ ...row }) as unknown as SpendRow<By>);
}

/** All that a local key has spent since then, with what is known of rows that are gone. */
export function spentByKey(database: DatabaseSync, localKeyId: string, since: number): Spent {
  const query = `
    SELECT total(input_tokens) AS inputTokens, total(output_tokens) AS outputTokens, total(cost) AS cost FROM (
      SELECT input_tokens, output_tokens, cost FROM exchanges WHERE local_key_id = :key AND at >= :since
      UNION ALL
      SELECT input_tokens, output_tokens, cost FROM pruned WHERE local_key_id = :key AND at >= :since
    )`;
  const row = database.prepare(query).get({ key: localKeyId, since });
  return {
    inputTokens: Number(row?.inputTokens),
    outputTokens: Number(row?.outputTokens),
    cost: Number(row?.cost),
  };
}
