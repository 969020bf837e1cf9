/**
 * Daily sums of the ledger, so that a view of a year does not have to read all its rows. They cover the rows up to a
 * number; readers add the few later rows themselves. A day is in the time zone that the machine had when the sums were
 * updated.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { addDays, startOfDay } from '../display/day.ts';
import { endedAs } from './exchangeConditions.ts';
import { UNPRICED } from './schema.ts';
import { inTransaction } from './sqlite.ts';
import { timeBucket } from './timeBucket.ts';

/** The columns by which rows of `daily` are grouped, beside the day. */
export const CELL_NAMES = ['source', 'local_key_id', 'client', 'model', 'upstream', 'conversation_id'] as const;

/** The sums, as SQL expressions over rows of `exchanges`. */
export const CELL_SUMS = {
  exchanges: 'count(*)',
  failed: `count(*) FILTER (WHERE ${endedAs('failed')})`,
  unpriced: `count(*) FILTER (WHERE ${UNPRICED})`,
  estimated: 'count(*) FILTER (WHERE usage_is_estimated = 1)',
  input_tokens: 'coalesce(sum(input_tokens), 0)',
  output_tokens: 'coalesce(sum(output_tokens), 0)',
  cached_input_tokens: 'coalesce(sum(cached_input_tokens), 0)',
  cache_write_tokens: 'coalesce(sum(cache_write_tokens), 0)',
  reasoning_tokens: 'coalesce(sum(reasoning_tokens), 0)',
  cost: 'coalesce(sum(cost - coalesce(attempts_cost, 0)), 0)',
  unconfirmed_cost: 'coalesce(sum(unconfirmed_cost), 0)',
  cache_saving: 'coalesce(sum(cache_saving), 0)',
} as const;

export const SUM_NAMES = Object.keys(CELL_SUMS) as readonly (keyof typeof CELL_SUMS)[];

/** SQL expression for a row's day in the machine's time zone, such as `2026-11-21`. */
export const DAY = `date(at / 1000, 'unixepoch', 'localtime')`;

/**
 * What failed attempts were billed for. It is added to the sums of their own upstreams, without counting an exchange.
 */
const ATTEMPT_SUMS: Readonly<Partial<Record<keyof typeof CELL_SUMS, string>>> = {
  input_tokens: ofAttempts('usage.inputTokens'),
  output_tokens: ofAttempts('usage.outputTokens'),
  cached_input_tokens: ofAttempts('usage.cachedInputTokens'),
  cache_write_tokens: ofAttempts('usage.cacheWriteTokens'),
  reasoning_tokens: ofAttempts('usage.reasoningTokens'),
  cost: `CAST(round(total(${memberOfAttempt('cost')}) * 1e9) AS INTEGER)`,
};
const BILLED_ATTEMPTS = 'exchanges, json_each(exchanges.attempts) AS attempt';

function memberOfAttempt(path: string): string {
  return `json_extract(attempt.value, '$.${path}')`;
}

function ofAttempts(path: string): string {
  return `CAST(total(${memberOfAttempt(path)}) AS INTEGER)`;
}

/** Returns SQL that computes rows of `daily` from rows of `exchanges`. */
export function cellsOf(rows: string, time: string): string {
  const names = CELL_NAMES.map((name) => `coalesce(${name}, '') AS ${name}`);
  const sums = SUM_NAMES.map((name) => `${CELL_SUMS[name]} AS ${name}`);
  const ofAttempt = CELL_NAMES.map((name) => (name === 'upstream' ? memberOfAttempt(name) : `coalesce(${name}, '')`));
  const attemptSums = SUM_NAMES.map((name) => ATTEMPT_SUMS[name] ?? '0');
  const groups = [1, ...CELL_NAMES.map((_, index) => index + 2)];
  return `
    SELECT ${[`${time} AS day`, ...names, ...sums].join(', ')} FROM exchanges WHERE ${rows} GROUP BY ${groups}
    UNION ALL
    SELECT ${[time, ...ofAttempt, ...attemptSums].join(', ')} FROM ${BILLED_ATTEMPTS}
    WHERE ${rows} AND attempts_cost IS NOT NULL AND ${memberOfAttempt('usage')} IS NOT NULL GROUP BY ${groups}`;
}

/**
 * Returns SQL that computes the cost by upstream from rows of `exchanges`, with the columns `day`, `upstream`, and
 * `cost`.
 */
export function costsByUpstream(rows: string): string {
  return `
    SELECT ${DAY} AS day, upstream, cost - coalesce(attempts_cost, 0) AS cost FROM exchanges WHERE ${rows}
    UNION ALL
    SELECT ${DAY}, ${memberOfAttempt('upstream')}, ${memberOfAttempt('cost')} * 1e9 FROM ${BILLED_ATTEMPTS}
    WHERE ${rows} AND attempts_cost > 0`;
}

/**
 * Returns SQL that computes rows of `daily_times` from rows of `exchanges`. Only completed answers count, since a
 * refusal takes no time. Durations are not grouped by model.
 */
export function timesOf(rows: string, time: string): string {
  const measure = (name: string, column: string, model: string) => `
    SELECT ${time} AS day, '${name}' AS measure, ${model} AS model, coalesce(upstream, '') AS upstream,
      time_bucket(${column}) AS bucket, count(*) AS exchanges
    FROM exchanges WHERE ${rows} AND ended = 'completed' AND ${column} IS NOT NULL GROUP BY 1, 2, 3, 4, 5`;
  return `${measure('firstByte', 'first_byte_ms', `coalesce(model, '')`)} UNION ALL ${measure('duration', 'duration_ms', `''`)}`;
}

/** Registers {@link timeBucket} as a function of the connection, which the statements in this file call. */
export function defineTimeBucket(database: DatabaseSync): void {
  database.function('time_bucket', { deterministic: true }, (ms) => timeBucket(Number(ms)));
}

/**
 * Like {@link DAY}, but converts to local time only for rows outside {@link FIRST_DAY}, because that conversion is the
 * most expensive part.
 */
const DAY_OR_FIRST = `CASE WHEN at >= :start AND at < :end THEN :day ELSE ${DAY} END`;

/** The day of the first row to add. */
const FIRST_DAY = `SELECT ${DAY} AS day FROM exchanges WHERE number > ? ORDER BY number LIMIT 1`;

const NEXT_ROWS = 'number > :after AND number <= :upTo';
const ADDED = SUM_NAMES.map((name) => `${name} = ${name} + excluded.${name}`);
const ADD_CELLS = `
  INSERT INTO daily (${['day', ...CELL_NAMES, ...SUM_NAMES].join(', ')})
  SELECT * FROM (${cellsOf(NEXT_ROWS, DAY_OR_FIRST)}) WHERE true
  ON CONFLICT DO UPDATE SET ${ADDED.join(', ')}`;
// `WHERE true` keeps the parser from reading ON CONFLICT as the condition of a join.
const ADD_TIMES = `
  INSERT INTO daily_times SELECT * FROM (${timesOf(NEXT_ROWS, DAY_OR_FIRST)}) WHERE true
  ON CONFLICT DO UPDATE SET exchanges = exchanges + excluded.exchanges`;

export class DailySums {
  readonly #database: DatabaseSync;
  /** Kept, because preparing them takes as long as adding sixty rows. */
  #additions: readonly StatementSync[] | undefined;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /**
   * Adds the next rows, at most `maxRows`. Takes about ten milliseconds per thousand rows.
   * @returns whether there may be more rows to add.
   */
  add(maxRows: number): boolean {
    const database = this.#database;
    return inTransaction(database, () => {
      const after = summarizedUpTo(database);
      const last = Number(database.prepare('SELECT coalesce(max(number), 0) AS last FROM exchanges').get()?.last);
      const upTo = Math.min(last, after + maxRows);
      if (upTo <= after) return false;
      const rows = { after, upTo, ...firstDay(database, after) };
      this.#additions ??= [ADD_CELLS, ADD_TIMES].map((statement) => database.prepare(statement));
      for (const addition of this.#additions) addition.run(rows);
      database.prepare('UPDATE summarised SET up_to = ?').run(upTo);
      return upTo < last;
    });
  }
}

/**
 * Returns the day of the first row to add, and its bounds in milliseconds since the epoch. SQLite cannot compute them
 * for a day that does not start at midnight, because daylight saving time starts then.
 */
function firstDay(database: DatabaseSync, after: number) {
  const day = String(database.prepare(FIRST_DAY).get(after)?.day);
  return { day, start: startOfDay(day), end: startOfDay(addDays(day, 1)) };
}

/**
 * Must be called in a transaction that removes rows. SQLite can reuse their numbers, and rows with reused numbers must
 * be added to the sums, too.
 */
export function forgetRemoved(database: DatabaseSync): void {
  database.exec('UPDATE summarised SET up_to = min(up_to, (SELECT coalesce(max(number), 0) FROM exchanges))');
}

export function summarizedUpTo(database: DatabaseSync): number {
  return Number(database.prepare('SELECT up_to FROM summarised').get()?.up_to);
}
