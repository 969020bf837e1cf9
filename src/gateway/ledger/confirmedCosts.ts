/** Replaces an upper bound by what an account was charged, where that follows from two readings of its balance. */
import type { DatabaseSync } from 'node:sqlite';
import { CELL_NAMES, DAY } from './summary.ts';

/** The time between two readings, in milliseconds since the epoch, and the upstream that charges the account. */
export interface ReadingRange {
  readonly after: number;
  readonly upTo: number;
  readonly upstream: string;
}

/** All amounts are in billionths of a US dollar. */
export interface Charged {
  /** How much the balance fell. */
  readonly drawn: number;
  /** What the ledger has recorded. */
  readonly recorded: number;
  /** The balance is a multiple of it. What is charged can be higher by less than this. */
  readonly unit: number;
}

/**
 * If exactly one exchange in the range has an unconfirmed cost, and nothing else may have changed the balance, sets its
 * cost to the charged amount. Must be called in a transaction.
 * @param ended condition for rows that ended in the range.
 * @returns by how much the recorded cost was too high. 0 if nothing could be confirmed: a difference that is not between 0
 *   and the upper bound shows that others use the key.
 */
export function confirmCost(
  database: DatabaseSync,
  range: ReadingRange,
  ended: string,
  { drawn, recorded, unit }: Charged,
): number {
  const isRunning = 'SELECT 1 FROM running WHERE upstream = ? LIMIT 1';
  if (database.prepare(isRunning).get(range.upstream) !== undefined) return 0;
  const open = database
    .prepare(
      `SELECT number, cost, unconfirmed_cost AS unconfirmed, attempts FROM exchanges
       WHERE ${ended} AND upstream = :upstream AND unconfirmed_cost IS NOT NULL LIMIT 2`,
    )
    .all({ ...range });
  const [row] = open;
  if (row === undefined || open.length > 1 || row.attempts !== null) return 0;
  const bound = Number(row.cost);
  const charged = drawn - (recorded - bound);
  if (charged < 0 || charged >= bound) return 0;
  const excess = bound - Math.min(bound, charged + (unit > 1 ? unit : 0));
  if (excess === 0) return 0;
  const cost = bound - excess;
  const values = { number: Number(row.number), excess, unconfirmed: Number(row.unconfirmed) };
  database
    .prepare('UPDATE exchanges SET cost = ?, reported_cost = ?, unconfirmed_cost = NULL WHERE number = ?')
    .run(cost, cost, values.number);
  const cell = CELL_NAMES.map((name) => `daily.${name} = coalesce(exchanges.${name}, '')`).join(' AND ');
  database
    .prepare(
      `UPDATE daily SET cost = daily.cost - :excess, unconfirmed_cost = daily.unconfirmed_cost - :unconfirmed
       FROM exchanges, summarised
       WHERE number = :number AND number <= up_to AND day = ${DAY} AND ${cell}`,
    )
    .run(values);
  return excess;
}

/** Returns the largest power of ten that divides all amounts, in billionths of a US dollar. */
export function unitOf(...amounts: readonly number[]): number {
  let unit = 1;
  while (unit < 1e9 && amounts.every((amount) => amount % (unit * 10) === 0)) unit *= 10;
  return unit;
}
