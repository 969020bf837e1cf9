import type { DatabaseSync } from 'node:sqlite';
import { addDays, dayOf, startOfDay } from '../display/day.ts';
import { defined } from '../formats/json.ts';
import type { Accuracy } from '../rules/exchange.ts';
import { reconcile } from './balanceReadings.ts';
import { toDollars } from './cost.ts';
import { costsByUpstream, SUM_NAMES } from './summary.ts';
import { bucketStart, type CountedBucket, percentile } from './timeBucket.ts';
import type {
  UsageAccount,
  UsageCaller,
  UsageDistribution,
  UsageLine,
  UsageMoment,
  UsagePace,
  UsagePeriod,
  UsageReport,
  UsageScope,
  UsageSpend,
  UsageSums,
  UsageTimes,
  UsageUnit,
} from './usage.ts';
import { dropCells, gatherCells } from './usageCells.ts';

const PACE_DAYS = 14;
/** With more days, bars would be too thin. */
const MAX_BARS = 92;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Buckets per bar of a distribution: half an octave. */
const BUCKETS_A_BAR = 4;

type ReportRow = Readonly<Record<string, string | number>>;

const SUMS = SUM_NAMES.map((name) => `sum(${name}) AS ${name}`).join(', ');

/**
 * Returns the contents of the usage view for a period.
 * @param now milliseconds since the epoch.
 */
export function usageReport(
  database: DatabaseSync,
  scope: UsageScope,
  account: UsageAccount | undefined,
  now: number,
): UsageReport {
  const { period } = scope;
  const unit = unitOf(database, period);
  return withCells(database, scope, unit, (notCounted) => {
    const reconciliation = account && reconcile(database, account, period);
    const firstByte = distribution(database, 'firstByte');
    const duration = distribution(database, 'duration');
    return {
      period,
      unit,
      totals: sumsOf(one(database, `SELECT ${SUMS} FROM cells`)),
      notCounted,
      moments: moments(database),
      spends: spends(database),
      models: models(database),
      callers: callers(database),
      ...defined({ firstByte, duration }),
      pace: pace(database, account, now),
      ...(reconciliation !== undefined && { reconciliation }),
    };
  });
}

export function usageLines(database: DatabaseSync, scope: UsageScope): UsageLine[] {
  return withCells(database, scope, 'day', () =>
    all(
      database,
      `SELECT day, source, local_key_id, client, model, upstream, conversation_id, ${SUMS} FROM cells
       GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7`,
    ).map((row) => ({
      day: String(row.day),
      source: String(row.source),
      localKeyId: String(row.local_key_id),
      client: String(row.client),
      model: String(row.model),
      upstream: String(row.upstream),
      conversationId: String(row.conversation_id),
      ...sumsOf(row),
    })),
  );
}

/** Returns the share of a period's input that was read from caches. Undefined without input. */
export function hitRateOf(database: DatabaseSync, scope: UsageScope): number | undefined {
  return withCells(database, scope, 'day', () => {
    const { inputTokens, cachedInputTokens } = sumsOf(one(database, `SELECT ${SUMS} FROM cells`));
    return inputTokens === 0 ? undefined : cachedInputTokens / inputTokens;
  });
}

/**
 * Runs in a transaction, so that the daily sums match the remaining rows while others write.
 * @param read receives the number of exchanges that are outside the scope.
 */
function withCells<Result>(
  database: DatabaseSync,
  scope: UsageScope,
  unit: UsageUnit,
  read: (notCounted: number) => Result,
): Result {
  database.exec('BEGIN');
  try {
    const result = read(gatherCells(database, scope, unit));
    dropCells(database);
    return result;
  } finally {
    database.exec('COMMIT');
  }
}

export function unitOf(database: DatabaseSync, { first, last }: UsagePeriod): UsageUnit {
  if (first === last) return hasAllRows(database, first) ? 'hour' : 'day';
  return startOfDay(last) - startOfDay(first) < MAX_BARS * DAY_MS ? 'day' : 'week';
}

/** Whether all rows of a day still exist. If the file was too large, rows are removed before their daily sums. */
function hasAllRows(database: DatabaseSync, day: string): boolean {
  const query = `
    SELECT (SELECT total(exchanges) FROM daily WHERE day = :day) AS summed, count(*) AS kept
    FROM exchanges WHERE at >= :from AND at < :to AND number <= (SELECT up_to FROM summarised)`;
  const range = { day, from: startOfDay(day), to: startOfDay(addDays(day, 1)) };
  const { summed, kept } = one(database, query, range);
  return Number(kept) >= Number(summed);
}

function moments(database: DatabaseSync): UsageMoment[] {
  const times = timesBy(database, 'day');
  return all(database, `SELECT day AS time, ${SUMS} FROM cells GROUP BY 1 ORDER BY 1`).map((row) => ({
    time: String(row.time),
    ...sumsOf(row),
    ...firstByteOf(times, String(row.time)),
  }));
}

function spends(database: DatabaseSync): UsageSpend[] {
  const query = `SELECT day AS time, model, sum(cost) AS cost, sum(exchanges) AS exchanges,
    sum(estimated) AS estimated FROM cells GROUP BY 1, 2 ORDER BY 1, 2`;
  return all(database, query).map((row) => ({
    time: String(row.time),
    model: String(row.model),
    cost: toDollars(Number(row.cost)),
    exchanges: Number(row.exchanges),
    estimated: Number(row.estimated),
  }));
}

function models(database: DatabaseSync) {
  const times = timesBy(database, 'model');
  const accuracies = accuraciesOf(database);
  const query = `SELECT model AS name, ${SUMS} FROM cells GROUP BY 1 ORDER BY sum(cost) DESC, sum(exchanges) DESC`;
  return all(database, query).map((row) => {
    const group = { name: String(row.name), ...sumsOf(row) };
    const accuracy = group.estimated > 0 ? accuracies.get(group.name) : undefined;
    return { ...group, ...firstByteOf(times, group.name), ...(accuracy !== undefined && { accuracy }) };
  });
}

/** Returns the accuracy by model, as of its last estimate. */
function accuraciesOf(database: DatabaseSync): ReadonlyMap<string, Accuracy> {
  const query = `
    SELECT model, estimate_error AS error, estimate_reports AS reports FROM exchanges WHERE number IN (
      SELECT max(number) FROM exchanges WHERE estimate_reports IS NOT NULL GROUP BY model)`;
  return new Map(
    all(database, query).map(({ model, error, reports }) => [
      String(model),
      { error: Number(error), reports: Number(reports) },
    ]),
  );
}

function callers(database: DatabaseSync): UsageCaller[] {
  const query = `
    SELECT source, local_key_id, ${SUMS} FROM cells GROUP BY 1, 2 ORDER BY sum(cost) DESC, sum(exchanges) DESC`;
  return all(database, query).map((row) => ({
    source: String(row.source),
    localKeyId: String(row.local_key_id),
    ...sumsOf(row),
  }));
}

/** Buckets of the time to the first byte, grouped by a column. */
function timesBy(database: DatabaseSync, column: 'day' | 'model'): ReadonlyMap<string, readonly CountedBucket[]> {
  const query = `
    SELECT ${column} AS name, bucket, sum(exchanges) AS exchanges FROM times
    WHERE measure = 'firstByte' GROUP BY 1, 2 ORDER BY 1, 2`;
  return Map.groupBy(
    all(database, query).map(({ name, bucket, exchanges }) => ({
      name: String(name),
      bucket: Number(bucket),
      exchanges: Number(exchanges),
    })),
    ({ name }) => name,
  );
}

function firstByteOf(times: ReturnType<typeof timesBy>, name: string): { readonly firstByte?: UsageTimes } {
  const firstByte = timesOf(times.get(name) ?? []);
  return firstByte === undefined ? {} : { firstByte };
}

function timesOf(buckets: readonly CountedBucket[]): UsageTimes | undefined {
  const [median, p95] = [percentile(buckets, 0.5), percentile(buckets, 0.95)];
  return median === undefined || p95 === undefined ? undefined : { median, p95 };
}

function distribution(database: DatabaseSync, measure: 'firstByte' | 'duration'): UsageDistribution | undefined {
  const query = 'SELECT bucket, sum(exchanges) AS exchanges FROM times WHERE measure = ? GROUP BY 1 ORDER BY 1';
  const buckets = all(database, query, measure).map(({ bucket, exchanges }) => ({
    bucket: Number(bucket),
    exchanges: Number(exchanges),
  }));
  const times = timesOf(buckets);
  if (times === undefined) return undefined;
  const exchanges = buckets.reduce((sum, bucket) => sum + bucket.exchanges, 0);
  return { ...times, exchanges, bars: barsOf(buckets) };
}

function barsOf(buckets: readonly CountedBucket[]): UsageDistribution['bars'] {
  const counts = new Map<number, number>();
  for (const { bucket, exchanges } of buckets) {
    const bar = Math.floor(bucket / BUCKETS_A_BAR);
    counts.set(bar, (counts.get(bar) ?? 0) + exchanges);
  }
  const places = [...counts.keys()];
  const [first, last] = [Math.min(...places), Math.max(...places)];
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const from = (first + index) * BUCKETS_A_BAR;
    return {
      from: bucketStart(from),
      to: bucketStart(from + BUCKETS_A_BAR),
      exchanges: counts.get(first + index) ?? 0,
    };
  });
}

/** Cost of the account's upstream since its first expense within the last {@link PACE_DAYS} days. */
function pace(database: DatabaseSync, account: UsageAccount | undefined, now: number): UsagePace {
  if (account === undefined) return { days: 0, cost: 0 };
  const query = `
    SELECT min(day) AS first, coalesce(sum(cost), 0) AS cost FROM (
      SELECT day, cost FROM daily WHERE day >= :first AND upstream = :upstream
      UNION ALL
      SELECT day, cost FROM (${costsByUpstream('number > (SELECT up_to FROM summarised) AND at >= :from')})
      WHERE upstream = :upstream
    ) WHERE cost > 0`;
  const first = dayOf(now - PACE_DAYS * DAY_MS);
  const row = one(database, query, { first, from: startOfDay(first), upstream: account.upstream });
  if (typeof row.first !== 'string') return { days: 0, cost: 0 };
  return { days: (now - startOfDay(row.first)) / DAY_MS, cost: toDollars(Number(row.cost)) };
}

function sumsOf(row: ReportRow): UsageSums {
  return {
    exchanges: Number(row.exchanges ?? 0),
    failed: Number(row.failed ?? 0),
    unpriced: Number(row.unpriced ?? 0),
    estimated: Number(row.estimated ?? 0),
    inputTokens: Number(row.input_tokens ?? 0),
    outputTokens: Number(row.output_tokens ?? 0),
    cachedInputTokens: Number(row.cached_input_tokens ?? 0),
    cacheWriteTokens: Number(row.cache_write_tokens ?? 0),
    reasoningTokens: Number(row.reasoning_tokens ?? 0),
    cost: toDollars(Number(row.cost ?? 0)),
    ...(Number(row.unconfirmed_cost) > 0 && { unconfirmed: toDollars(Number(row.unconfirmed_cost)) }),
    cacheSaving: toDollars(Number(row.cache_saving ?? 0)),
  };
}

function one(database: DatabaseSync, query: string, values: Record<string, string | number> = {}): ReportRow {
  return { ...database.prepare(query).get(values) } as ReportRow;
}

function all(database: DatabaseSync, query: string, ...values: readonly string[]): ReportRow[] {
  return database.prepare(query).all(...values) as ReportRow[];
}
