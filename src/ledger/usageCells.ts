import type { DatabaseSync } from 'node:sqlite';
import { addDays, dayOf, startOfDay } from '../display/day.ts';
import { QUARTER_HOUR_MS } from './schema.ts';
import { CELL_NAMES, cellsOf, DAY, SUM_NAMES, summarizedUpTo, timesOf } from './summary.ts';
import type { UsagePeriod, UsageScope, UsageUnit } from './usage.ts';

/**
 * Temporary tables of a connection: the sums of a period, from the daily sums and the rows that are not in them yet.
 */
const CELLS = 'temp.cells';
const TIMES = 'temp.times';
const HOURS = 'temp.hours';

const MONDAY = `date(day, 'weekday 0', '-6 days')`;

/** Returns the scope without the days before its first request of all, which would only make averages smaller. */
export function fromFirstRequest(database: DatabaseSync, scope: UsageScope): UsageScope {
  const { first, last } = scope.period;
  const isInside = `coalesce(upstream, '') ${scope.ofSandbox ? '=' : '<>'} 'sandbox'`;
  const row = database
    .prepare(
      `SELECT min(min(day), :last) AS day FROM (
         SELECT * FROM (SELECT day FROM daily WHERE ${isInside} ORDER BY day LIMIT 1)
         UNION ALL
         SELECT min(${DAY}) FROM exchanges WHERE number > :after AND ${isInside})`,
    )
    .get({ last, after: summarizedUpTo(database) });
  const begin = row?.day;
  return typeof begin === 'string' && begin > first ? { ...scope, period: { first: begin, last } } : scope;
}

/**
 * Fills `cells` and `times` with the sums of the period. They have the columns of `daily` and `daily_times`, with the
 * unit in place of the day. Must be called in a transaction, so that the daily sums match the remaining rows.
 * @returns the number of exchanges of the period that are outside the scope.
 */
export function gatherCells(database: DatabaseSync, { period, ofSandbox }: UsageScope, unit: UsageUnit): number {
  drop(database);
  if (unit === 'hour') gatherHours(database, period);
  else gatherDays(database, period, unit === 'week' ? MONDAY : 'day');
  const others = ofSandbox ? `upstream <> 'sandbox'` : `upstream = 'sandbox'`;
  const outside = database.prepare(`SELECT total(exchanges) AS exchanges FROM ${CELLS} WHERE ${others}`).get();
  database.exec(`DELETE FROM ${CELLS} WHERE ${others}; DELETE FROM ${TIMES} WHERE ${others}`);
  return Number(outside?.exchanges ?? 0);
}

export function dropCells(database: DatabaseSync): void {
  drop(database);
}

function gatherHours(database: DatabaseSync, { first, last }: UsagePeriod): void {
  const range = { from: startOfDay(first), to: startOfDay(addDays(last, 1)) };
  nameHours(database, range);
  const rows = 'at >= :from AND at < :to';
  // Numbers of JavaScript are bound as real numbers, which are divided with a remainder.
  const quarter = `CAST((at - :from) / ${QUARTER_HOUR_MS} AS INTEGER)`;
  const hour = `(SELECT hour FROM ${HOURS} WHERE quarter = ${quarter})`;
  database.prepare(`CREATE TEMP TABLE cells AS ${cellsOf(rows, hour)}`).run(range);
  database.prepare(`CREATE TEMP TABLE times AS ${timesOf(rows, hour)}`).run(range);
}

/**
 * Maps each quarter of an hour to its hour, such as `2026-11-21T09`. Converting each exchange to local time would
 * dominate the query. In every time zone, hours start on a quarter of an hour.
 */
function nameHours(database: DatabaseSync, { from, to }: { readonly from: number; readonly to: number }): void {
  database.exec(`CREATE TEMP TABLE hours (quarter INTEGER PRIMARY KEY, hour TEXT NOT NULL)`);
  const insert = database.prepare(`INSERT INTO ${HOURS} VALUES (?, ?)`);
  for (let at = from; at < to; at += QUARTER_HOUR_MS) {
    const hour = String(new Date(at).getHours()).padStart(2, '0');
    insert.run((at - from) / QUARTER_HOUR_MS, `${dayOf(at)}T${hour}`);
  }
}

function gatherDays(database: DatabaseSync, { first, last }: UsagePeriod, unit: string): void {
  const range = { first, last, after: summarizedUpTo(database) };
  const kept = 'day BETWEEN :first AND :last';
  const behind = 'number > :after';
  const columns = [...CELL_NAMES, ...SUM_NAMES].join(', ');
  database
    .prepare(
      `CREATE TEMP TABLE cells AS SELECT ${unit} AS day, ${columns} FROM daily WHERE ${kept}
       UNION ALL SELECT ${unit} AS day, ${columns} FROM (${cellsOf(behind, DAY)}) WHERE ${kept}`,
    )
    .run(range);
  database
    .prepare(
      `CREATE TEMP TABLE times AS SELECT ${unit} AS day, measure, model, upstream, bucket, exchanges FROM daily_times
       WHERE ${kept}
       UNION ALL SELECT ${unit} AS day, measure, model, upstream, bucket, exchanges FROM (${timesOf(behind, DAY)}) WHERE ${kept}`,
    )
    .run(range);
}

function drop(database: DatabaseSync): void {
  database.exec(`DROP TABLE IF EXISTS ${CELLS}; DROP TABLE IF EXISTS ${TIMES}; DROP TABLE IF EXISTS ${HOURS}`);
}
