/** Sums of spending, computed by SQLite so that 100,000 exchanges are not loaded as objects. */
import type { DatabaseSync } from 'node:sqlite';
import type { Spent } from './cost.ts';
import { type CountedModel, MAX_RECALLED, speedOf } from './outputSpeeds.ts';

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

/** Returns the part of a local key's spending that is sample money of the sandbox, in billionths of a US dollar. */
export function sampleOfKey(database: DatabaseSync, localKeyId: string): number {
  const own = "upstream = 'sandbox' AND local_key_id = :key";
  const query = `
    SELECT (SELECT total(cost) FROM daily WHERE ${own}) +
      (SELECT total(cost) FROM exchanges WHERE ${own} AND number > (SELECT up_to FROM summarised)) AS cost`;
  return Number(database.prepare(query).get({ key: localKeyId })?.cost);
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

/** Returns the cost of a session's requests, in billionths of a US dollar. */
export function spentOnSession(database: DatabaseSync, sessionId: string): number {
  return Number(
    database.prepare('SELECT total(cost) AS cost FROM exchanges WHERE session_id = ?').get(sessionId)?.cost,
  );
}
