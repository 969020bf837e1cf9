import type { DatabaseSync } from 'node:sqlite';
import { addDays, startOfDay } from '../../display/day.ts';
import { CELL_NAMES, cellsOf, DAY, HOUR, SUM_NAMES, summarisedUpTo, timesOf } from './summary.ts';
import type { UsagePeriod, UsageScope, UsageUnit } from './usage.ts';

/** Tables of one connection: the sums of a period, from the kept ones and from the rows behind them. */
const CELLS = 'temp.cells';
const TIMES = 'temp.times';

const MONDAY = `date(day, 'weekday 0', '-6 days')`;

/**
 * Gathers the sums of the period into `cells` and `times`; they look like `daily` and `daily_times`, with the unit in
 * the place of the day. To be called inside of a transaction, so that kept sums and the rows behind them fit together.
 */
export function gatherCells(database: DatabaseSync, { period, ofSandbox }: UsageScope, unit: UsageUnit): void {
  drop(database);
  if (unit === 'hour') gatherHours(database, period);
  else gatherDays(database, period, unit === 'week' ? MONDAY : 'day');
  const others = ofSandbox ? `upstream <> 'sandbox'` : `upstream = 'sandbox'`;
  database.exec(`DELETE FROM ${CELLS} WHERE ${others}; DELETE FROM ${TIMES} WHERE ${others}`);
}

export function dropCells(database: DatabaseSync): void {
  drop(database);
}

function gatherHours(database: DatabaseSync, { first, last }: UsagePeriod): void {
  const range = { from: startOfDay(first), to: startOfDay(addDays(last, 1)) };
  const rows = 'at >= :from AND at < :to';
  database.prepare(`CREATE TEMP TABLE cells AS ${cellsOf(rows, HOUR)}`).run(range);
  database.prepare(`CREATE TEMP TABLE times AS ${timesOf(rows, HOUR)}`).run(range);
}

function gatherDays(database: DatabaseSync, { first, last }: UsagePeriod, unit: string): void {
  const range = { first, last, after: summarisedUpTo(database) };
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
  database.exec(`DROP TABLE IF EXISTS ${CELLS}; DROP TABLE IF EXISTS ${TIMES}`);
}
