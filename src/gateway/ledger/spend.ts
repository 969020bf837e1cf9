/** Sums of spending, computed by SQLite so that 100,000 exchanges are not loaded as objects. */
import type { DatabaseSync } from 'node:sqlite';
import type { Spent } from '../core/cost.ts';
import { MAX_RECALLED, speedOf } from '../core/outputSpeeds.ts';
import type { CountedModel } from '../core/usageEstimator.ts';
import { QUARTER_HOUR_MS, UNPRICED } from './schema.ts';

/** Milliseconds since the epoch. Excludes `to`. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** Dimensions by which sums can be grouped. A `day`, such as `2026-11-21`, is in the machine's time zone. */
export type Dimension = 'day' | 'source' | 'localKey' | 'client' | 'model' | 'upstream' | 'format' | 'end';

export interface Totals {
  readonly exchanges: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
  /** Billionths of a US dollar, for exchanges with a known price. */
  readonly cost: number;
  /** Exchanges that used tokens of unknown price. */
  readonly unpriced: number;
}

/** One group. A dimension is null if the group's exchanges have no value for it. */
export type SpendRow<By extends Dimension> = Totals & { readonly [Name in By]: string | null };

/** Days are composed of quarters of an hour, because a day starts on one in every time zone. */
const COLUMN: Readonly<Record<Dimension, string>> = {
  day: `at / ${QUARTER_HOUR_MS}`,
  source: 'source',
  localKey: 'local_key_id',
  client: 'client',
  model: 'model',
  upstream: 'upstream',
  format: 'caller_format',
  end: 'ended',
};
const DAY = `date(day * ${QUARTER_HOUR_MS / 1000}, 'unixepoch', 'localtime')`;

/** Unlike `sum`, `total` cannot overflow and returns 0 for no rows. */
const TOTALS: Readonly<Record<keyof Totals, string>> = {
  exchanges: 'count(*)',
  inputTokens: 'total(input_tokens) + total(attempts_input_tokens)',
  outputTokens: 'total(output_tokens) + total(attempts_output_tokens)',
  cachedInputTokens: 'total(cached_input_tokens)',
  cacheWriteTokens: 'total(cache_write_tokens)',
  reasoningTokens: 'total(reasoning_tokens)',
  cost: 'total(cost)',
  unpriced: `count(*) FILTER (WHERE ${UNPRICED})`,
};

/** Returns one row for each group with exchanges in the period, ordered by group. */
export function spendBy<By extends Dimension>(
  database: DatabaseSync,
  { from, to }: Period,
  by: readonly By[],
): SpendRow<By>[] {
  const groups = by.map((name) => `${COLUMN[name]} AS "${name}"`);
  const sums = Object.entries(TOTALS).map(([name, sum]) => `${sum} AS ${name}`);
  const ofGroups = `SELECT ${[...groups, ...sums].join(', ')} FROM exchanges WHERE at >= ? AND at < ? ${grouped(by)}`;
  const query = by.some((name) => name === 'day') ? ofDays(ofGroups, by) : ofGroups;
  return database
    .prepare(query)
    .all(from, to)
    .map((row) => ({ ...row }) as unknown as SpendRow<By>);
}

/**
 * Converts to local time once for each quarter of an hour instead of each exchange, which would take three times as
 * long.
 */
function ofDays(ofQuarterHours: string, by: readonly Dimension[]): string {
  const groups = by.map((name) => (name === 'day' ? `${DAY} AS day` : `"${name}"`));
  const sums = Object.keys(TOTALS).map((name) => `total(${name}) AS ${name}`);
  return `SELECT ${[...groups, ...sums].join(', ')} FROM (${ofQuarterHours}) ${grouped(by)}`;
}

function grouped(by: readonly Dimension[]): string {
  const places = by.map((_, place) => place + 1).join(', ');
  return by.length === 0 ? '' : `GROUP BY ${places} ORDER BY ${places}`;
}

/** Includes the tokens of failed attempts that were billed. */
const ALL_TOKENS = ['input_tokens', 'output_tokens']
  .map((name) => `coalesce(${name}, 0) + coalesce(attempts_${name}, 0) AS ${name}`)
  .join(', ');

/**
 * Returns the total spending of a local key since a time and before another one, including removed rows. If the clock was
 * set back, the ledger has rows of a later time.
 */
export function spentByKey(
  database: DatabaseSync,
  localKeyId: string,
  since: number,
  before: number = Number.MAX_SAFE_INTEGER,
): Spent {
  const query = `
    SELECT total(input_tokens) AS inputTokens, total(output_tokens) AS outputTokens, total(cost) AS cost FROM (
      SELECT ${ALL_TOKENS}, cost FROM exchanges WHERE local_key_id = :key AND at >= :since AND at < :before
      UNION ALL
      SELECT input_tokens, output_tokens, cost FROM pruned WHERE local_key_id = :key AND at >= :since AND at < :before
    )`;
  const row = database.prepare(query).get({ key: localKeyId, since, before });
  return {
    inputTokens: Number(row?.inputTokens),
    outputTokens: Number(row?.outputTokens),
    cost: Number(row?.cost),
  };
}

/** What is not certain of a local key's spending. */
export interface Uncertain {
  /** The number of exchanges with estimated usage. */
  readonly estimated: number;
  /** The part of the cost for usage that no upstream reported, in billionths of a US dollar. */
  readonly unconfirmed: number;
}

/** Returns what is not certain of the spending of a local key since this time. */
export function uncertainOfKey(database: DatabaseSync, localKeyId: string, since: number): Uncertain {
  const sum = (column: string, from: string) => `(SELECT ${column} FROM ${from} local_key_id = :key AND at >= :since)`;
  const query = `
    SELECT ${sum('count(*)', 'exchanges WHERE usage_is_estimated = 1 AND')} +
        ${sum('total(estimated)', 'pruned WHERE')} AS estimated,
      ${sum('total(unconfirmed_cost)', 'exchanges WHERE unconfirmed_cost IS NOT NULL AND')} +
        ${sum('total(unconfirmed_cost)', 'pruned WHERE')} AS unconfirmed`;
  const row = database.prepare(query).get({ key: localKeyId, since });
  return { estimated: Number(row?.estimated), unconfirmed: Number(row?.unconfirmed) };
}

/** Older answers say little about the speed of a model today. */
const MAX_ROWS = 2_000;

/**
 * Returns how fast a model wrote its latest answers whose usage was reported, oldest first, in tokens per second from the
 * request to the last byte.
 */
export function outputSpeeds(database: DatabaseSync, { upstream, model }: CountedModel): number[] {
  const query = `
    SELECT output_tokens AS tokens, duration_ms - queue_ms AS ms FROM (
      SELECT * FROM exchanges ORDER BY number DESC LIMIT ${MAX_ROWS})
    WHERE upstream = ? AND model = ? AND usage_bound = 'reported' AND ended = 'completed' AND attempts IS NULL
    ORDER BY number DESC LIMIT ${MAX_RECALLED}`;
  const rows = database.prepare(query).all(upstream, model);
  const speeds = rows.map(({ tokens, ms }) => speedOf(Number(tokens), Number(ms)));
  return speeds.filter((speed) => speed !== undefined).reverse();
}

/**
 * Returns when a local key was last used, in milliseconds since the epoch, or `undefined` if the ledger has no exchange
 * of it.
 */
export function lastUseOfKey(database: DatabaseSync, localKeyId: string): number | undefined {
  const row = database.prepare('SELECT max(at) AS at FROM exchanges WHERE local_key_id = ?').get(localKeyId);
  return typeof row?.at === 'number' ? row.at : undefined;
}
