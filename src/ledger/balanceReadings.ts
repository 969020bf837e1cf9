/**
 * The balances that the service reported for a key, one for each change, with the cost that the ledger recorded between
 * two readings. The usage view shows how much the two differ. Where a single cost between them is an upper bound, they
 * show the true one.
 */
import type { DatabaseSync } from 'node:sqlite';
import { addDays, startOfDay } from '../display/day.ts';
import { toBillionths, toDollars } from './cost.ts';
import { UNPRICED } from './schema.ts';
import { inTransaction } from './sqlite.ts';
import { CELL_NAMES, costsByUpstream, DAY } from './summary.ts';
import type { Reconciliation, UsageAccount, UsagePeriod } from './usage.ts';

export interface BalanceReading {
  readonly account: UsageAccount;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** US dollars. */
  readonly remaining: number;
}

/**
 * `first`: there is no earlier reading to compare with, because it is the account's first or another key was used
 * since. `topUp`: the balance rose. `step`: it fell.
 */
type ReadingKind = 'first' | 'topUp' | 'step';

interface Earlier {
  readonly at: number;
  readonly remaining: number;
}

/** The time between two readings, in milliseconds since the epoch, and the upstream that charges the account. */
interface ReadingRange {
  readonly after: number;
  readonly upTo: number;
  readonly upstream: string;
}

/** All amounts are in billionths of a US dollar. */
interface Charged {
  /** How much the balance fell. */
  readonly drawn: number;
  /** What the ledger has recorded. */
  readonly recorded: number;
  /** The balance is a multiple of it. What is charged can be higher by less than this. */
  readonly unit: number;
}

/** Exchanges that run longer may be assigned to a later reading. In milliseconds. */
const MAX_EXCHANGE_MS = 60 * 60 * 1000;

/** An exchange and its attempts are charged when the exchange ends. */
const ENDED = `at > :after - ${MAX_EXCHANGE_MS} AND at <= :upTo
  AND at + duration_ms > :after AND at + duration_ms <= :upTo`;
const RECORDED = `
  SELECT (SELECT CAST(round(total(cost)) AS INTEGER) FROM (${costsByUpstream(ENDED)}) WHERE upstream = :upstream) AS recorded,
    count(*) FILTER (WHERE ${UNPRICED}) AS unpriced,
    count(*) FILTER (WHERE usage_is_estimated = 1) AS estimated
  FROM exchanges WHERE ${ENDED} AND upstream = :upstream`;

const INSERT = `
  INSERT INTO balances (at, account, upstream, kind, remaining, drawn, recorded, unpriced, estimated)
  VALUES (:at, :account, :upstream, :kind, :remaining, :drawn, :recorded, :unpriced, :estimated)`;

/**
 * Writes a reading, unless the balance has not changed since the last one. Exchanges charged before the reading must be
 * written first.
 */
export function writeReading(database: DatabaseSync, reading: BalanceReading): void {
  inTransaction(database, () => {
    const { account, at } = reading;
    const remaining = toBillionths(reading.remaining);
    const earlier = lastOf(database, account.id);
    if (earlier !== undefined && (earlier.remaining === remaining || earlier.at >= at)) return;
    const kind = kindOf(database, account, earlier, remaining);
    const isStep = kind === 'step' && earlier !== undefined;
    const range = { after: earlier?.at ?? at, upTo: at, upstream: account.upstream };
    const { recorded: all, unpriced, estimated } = isStep ? recordedIn(database, range) : NOTHING;
    const drawn = isStep ? earlier.remaining - remaining : 0;
    const charged = { drawn, recorded: all, unit: unitOf(remaining, earlier?.remaining ?? 0) };
    const excess = isStep && unpriced === 0 ? confirmCost(database, range, charged) : 0;
    const recorded = all - excess;
    const { id, upstream } = account;
    database.prepare(INSERT).run({ at, account: id, upstream, kind, remaining, drawn, recorded, unpriced, estimated });
  });
}

const NOTHING = { recorded: 0, unpriced: 0, estimated: 0 };

/** @returns undefined if the period has no two readings to compare. */
export function reconcile(
  database: DatabaseSync,
  { id }: UsageAccount,
  { first, last }: UsagePeriod,
): Reconciliation | undefined {
  const range = { account: id, from: startOfDay(first), to: startOfDay(addDays(last, 1)) };
  const row = database
    .prepare(
      `SELECT min(at) AS first, max(at) AS last, count(*) AS readings, sum(drawn) AS drawn, sum(recorded) AS recorded,
         sum(unpriced) AS unpriced, sum(estimated) AS estimated, count(*) FILTER (WHERE kind = 'topUp') AS topUps,
         count(*) FILTER (WHERE kind = 'step') AS steps
       FROM balances WHERE account = :account AND at >= :from AND at < :to`,
    )
    .get(range);
  if (row === undefined || Number(row.steps) === 0) return undefined;
  return {
    from: before(database, id, Number(row.first)) ?? Number(row.first),
    to: Number(row.last),
    readings: Number(row.readings),
    drawn: toDollars(Number(row.drawn)),
    recorded: toDollars(Number(row.recorded)),
    unpriced: Number(row.unpriced),
    estimated: Number(row.estimated),
    topUps: Number(row.topUps),
  };
}

function kindOf(
  database: DatabaseSync,
  { id, upstream }: UsageAccount,
  earlier: Earlier | undefined,
  remaining: number,
): ReadingKind {
  if (earlier === undefined) return 'first';
  const others = 'SELECT 1 FROM balances WHERE account <> ? AND upstream = ? AND at > ?';
  if (database.prepare(others).get(id, upstream, earlier.at) !== undefined) return 'first';
  return remaining > earlier.remaining ? 'topUp' : 'step';
}

function lastOf(database: DatabaseSync, account: string): Earlier | undefined {
  const row = database
    .prepare('SELECT at, remaining FROM balances WHERE account = ? ORDER BY at DESC LIMIT 1')
    .get(account);
  return row && { at: Number(row.at), remaining: Number(row.remaining) };
}

/** Returns the time of the last reading before `at`, with which the first one of a period is compared. */
function before(database: DatabaseSync, account: string, at: number): number | undefined {
  const row = database.prepare('SELECT max(at) AS at FROM balances WHERE account = ? AND at < ?').get(account, at);
  return typeof row?.at === 'number' ? row.at : undefined;
}

function recordedIn(database: DatabaseSync, range: ReadingRange): typeof NOTHING {
  const row = database.prepare(RECORDED).get({ ...range });
  return {
    recorded: Number(row?.recorded),
    unpriced: Number(row?.unpriced),
    estimated: Number(row?.estimated),
  };
}

/**
 * If exactly one exchange in the range has an unconfirmed cost, and nothing else may have changed the balance, sets its
 * cost to the charged amount. Must be called in a transaction.
 * @returns by how much the recorded cost was too high. 0 if nothing could be confirmed: a difference that is not between 0
 *   and the upper bound shows that others use the key.
 */
function confirmCost(database: DatabaseSync, range: ReadingRange, { drawn, recorded, unit }: Charged): number {
  const isRunning = 'SELECT 1 FROM running WHERE upstream = ? LIMIT 1';
  if (database.prepare(isRunning).get(range.upstream) !== undefined) return 0;
  const open = database
    .prepare(
      `SELECT number, cost, unconfirmed_cost AS unconfirmed, attempts FROM exchanges
       WHERE ${ENDED} AND upstream = :upstream AND unconfirmed_cost IS NOT NULL LIMIT 2`,
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
function unitOf(...amounts: readonly number[]): number {
  let unit = 1;
  while (unit < 1e9 && amounts.every((amount) => amount % (unit * 10) === 0)) unit *= 10;
  return unit;
}
