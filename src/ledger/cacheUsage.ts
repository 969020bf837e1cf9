import type { DatabaseSync } from 'node:sqlite';
import { addDays, dayOf, daysBetween } from '../display/day.ts';
import { toDollars } from './cost.ts';
import { IS_AVOIDABLE, inScope } from './requestSums.ts';
import { QUARTER_HOUR_MS } from './schema.ts';
import type { CacheMoment, CacheUsage } from './sessionUsage.ts';
import type { UsagePeriod, UsageScope, UsageUnit } from './usage.ts';
import { hitRateOf, unitOf } from './usageReport.ts';

/**
 * What writes to the cache cost more than plain input, for rows with a known price. The saving of a row is what its
 * reads saved minus this amount.
 */
const WRITES_EXTRA = `
  (max(0, coalesce(cache_write_tokens, 0) - coalesce(long_cache_write_tokens, 0))
    * (coalesce(cache_write_price, input_price) - input_price)
  + coalesce(long_cache_write_tokens, 0) * (coalesce(long_cache_write_price, input_price) - input_price)) * 1000`;

/** Billionths of a US dollar. */
interface CacheSums {
  saving: number;
  extra: number;
  avoidable: number;
}

/**
 * Returns what the caches of a period saved and cost. Groups the rows by quarters of an hour, since converting each of
 * them to local time would dominate the query.
 */
export function cacheUsage(database: DatabaseSync, scope: UsageScope): CacheUsage {
  const { period, ofSandbox } = scope;
  const { condition, range } = inScope(scope);
  const rows = database
    .prepare(
      `SELECT at / ${QUARTER_HOUR_MS} AS quarter, total(cache_saving) AS saving,
         total(round(${WRITES_EXTRA})) FILTER (WHERE cache_saving IS NOT NULL) AS extra,
         total(cache_miss_cost) FILTER (WHERE ${IS_AVOIDABLE}) AS avoidable
       FROM exchanges WHERE ${condition} AND (cache_saving IS NOT NULL OR cache_miss_reason IS NOT NULL) GROUP BY 1`,
    )
    .all(...range);
  const missed = database
    .prepare(
      `SELECT count(*) AS misses, count(DISTINCT session_id) AS sessions FROM exchanges
       WHERE ${condition} AND ${IS_AVOIDABLE}`,
    )
    .get(...range);
  const unit = unitOf(database, period);
  const [total, byTime] = [nothing(), new Map<string, CacheSums>()];
  for (const row of rows) {
    const time = timeOf(Number(row.quarter) * QUARTER_HOUR_MS, unit);
    const moment = byTime.get(time) ?? nothing();
    byTime.set(time, moment);
    for (const sums of [total, moment]) {
      sums.saving += Number(row.saving);
      sums.extra += Number(row.extra);
      sums.avoidable += Number(row.avoidable);
    }
  }
  const before = hitRateOf(database, { period: periodBefore(period), ofSandbox });
  return {
    ...inDollars(total),
    misses: Number(missed?.misses),
    missedSessions: Number(missed?.sessions),
    ...(before !== undefined && { hitRateBefore: before }),
    moments: [...byTime].map(([time, sums]): CacheMoment => ({ time, ...inDollars(sums) })),
  };
}

function nothing(): CacheSums {
  return { saving: 0, extra: 0, avoidable: 0 };
}

function inDollars({ saving, extra, avoidable }: CacheSums) {
  return { readsSaved: toDollars(saving + extra), writesExtra: toDollars(extra), avoidable: toDollars(avoidable) };
}

/** Returns the name of the time slot, as the report of the same period has it. */
function timeOf(at: number, unit: UsageUnit): string {
  const day = dayOf(at);
  if (unit === 'hour') return `${day}T${String(new Date(at).getHours()).padStart(2, '0')}`;
  return unit === 'day' ? day : addDays(day, -((new Date(at).getDay() + 6) % 7));
}

/** Returns as many days directly before a period. */
function periodBefore({ first, last }: UsagePeriod): UsagePeriod {
  return { first: addDays(first, -daysBetween(first, last).length), last: addDays(first, -1) };
}
