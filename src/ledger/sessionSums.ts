import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { addDays, dayOf, daysBetween } from '../display/day.ts';
import type { CacheMissReason } from '../rules/cacheMiss.ts';
import { NO_SESSION } from '../rules/exchangeFilter.ts';
import { branchSums } from './branchSums.ts';
import { toDollars } from './cost.ts';
import { whereOf } from './exchangeConditions.ts';
import type { SessionPage, SessionQuestion } from './exchangeQuery.ts';
import { IS_AVOIDABLE, inScope, REQUEST_SUMS, requestSumsOf } from './requestSums.ts';
import { QUARTER_HOUR_MS } from './schema.ts';
import type { CacheMoment, CacheUsage, RunSums, SessionGroup, SessionSums, UsageSessions } from './sessionUsage.ts';
import { DAY } from './summary.ts';
import type { UsagePeriod, UsageScope, UsageUnit } from './usage.ts';
import { hitRateOf, unitOf } from './usageReport.ts';

/** Maximum number of sessions in the usage view, and of runs. */
const MAX_SESSIONS = 200;

const SUMS = `
  ${REQUEST_SUMS}, session_id, max(at) AS last_at, min(source) AS source,
  coalesce(min(local_key_id), '') AS local_key_id, coalesce(min(client), '') AS client,
  coalesce(min(conversation_id), '') AS conversation_id,
  max(0, count(DISTINCT model) - 1) AS other_models, count(DISTINCT turn_id) AS turns,
  total(cached_input_tokens) + total(${sumOfAttempts('cachedInputTokens')}) AS cached_input_tokens,
  total(cache_write_tokens) + total(${sumOfAttempts('cacheWriteTokens')}) AS cache_write_tokens,
  total(cost) FILTER (WHERE agent_id IS NOT NULL) AS subagent_cost,
  total(cost) FILTER (WHERE upstream = 'sandbox') AS sample_cost,
  total(cache_miss_cost) FILTER (WHERE ${IS_AVOIDABLE}) AS avoidable`;
/**
 * What writes to the cache cost more than plain input, for rows with a known price. The saving of a row is what its
 * reads saved minus this amount.
 */
const WRITES_EXTRA = `
  (max(0, coalesce(cache_write_tokens, 0) - coalesce(long_cache_write_tokens, 0))
    * (coalesce(cache_write_price, input_price) - input_price)
  + coalesce(long_cache_write_tokens, 0) * (coalesce(long_cache_write_price, input_price) - input_price)) * 1000`;

/** SQL expression for a sum over the failed attempts of a row that were billed. */
function sumOfAttempts(count: string): string {
  return `(SELECT total(json_extract(attempt.value, '$.usage.${count}')) FROM json_each(exchanges.attempts) AS attempt)`;
}

const MODEL = `
  SELECT model FROM exchanges WHERE session_id = ? AND model IS NOT NULL
  GROUP BY model ORDER BY total(cost) DESC, count(*) DESC LIMIT 1`;

const LATEST = 'SELECT ended, status FROM exchanges WHERE session_id = ? ORDER BY at DESC, number DESC LIMIT 1';

type Stored = Readonly<Record<string, SQLOutputValue>>;

/**
 * Returns the sessions of a period, and the reasons of their cache misses. Reads single rows, so it takes longer than
 * reading daily sums.
 */
export function usageSessions(database: DatabaseSync, scope: UsageScope): UsageSessions {
  const { condition, range } = inScope(scope);
  const count = database
    .prepare(`SELECT count(DISTINCT session_id) AS count FROM exchanges WHERE ${condition}`)
    .get(...range);
  const sessions = database
    .prepare(
      `SELECT ${SUMS} FROM exchanges WHERE session_id IS NOT NULL AND ${condition}
       GROUP BY session_id ORDER BY cost DESC, last_at DESC LIMIT ${MAX_SESSIONS}`,
    )
    .all(...range);
  const groups = (day: string, by: string, order: string) =>
    database
      .prepare(
        `SELECT ${day} AS day, count(DISTINCT session_id) AS sessions, ${SUMS} FROM exchanges
         WHERE session_id IS NOT NULL AND ${condition} GROUP BY ${by} ORDER BY ${order}`,
      )
      .all(...range)
      .map(groupOf);
  const runs = database
    .prepare(
      `SELECT turn_id, count(DISTINCT step) FILTER (WHERE agent_id IS NULL) AS steps, ${SUMS} FROM exchanges
       WHERE step IS NOT NULL AND session_id IS NOT NULL AND ${condition}
       GROUP BY session_id, turn_id ORDER BY cost DESC, last_at DESC LIMIT ${MAX_SESSIONS}`,
    )
    .all(...range)
    .map(runOf);
  const misses = database
    .prepare(
      `SELECT cache_miss_reason AS reason, count(*) AS exchanges, total(cache_miss_cost) AS cost FROM exchanges
       WHERE ${IS_AVOIDABLE} AND ${condition} GROUP BY 1 ORDER BY cost DESC, exchanges DESC`,
    )
    .all(...range);
  return {
    count: Number(count?.count),
    sessions: withDetails(database, sessions),
    byTool: groups("''", "source, coalesce(client, local_key_id, '')", 'cost DESC'),
    byDay: groups(DAY, DAY, 'day DESC'),
    runs,
    ...branchSums(database, scope),
    misses: misses.map(({ reason, exchanges, cost }) => ({
      reason: reason as CacheMissReason,
      exchanges: Number(exchanges),
      cost: toDollars(Number(cost)),
    })),
    cache: cacheUsage(database, scope),
  };
}

function runOf(row: Stored): RunSums {
  const { sessionId, at, conversationId, exchanges, unpriced, estimated, ...sums } = sumsOf(row);
  const { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, cost, cacheSaving, avoidable } = sums;
  const tokens = { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens };
  const counts = { steps: Number(row.steps), exchanges, unpriced, estimated };
  const ids = { sessionId, turnId: String(row.turn_id), conversationId };
  return { ...ids, at, ...counts, ...tokens, cost, cacheSaving, avoidable };
}

function groupOf(row: Stored): SessionGroup {
  const { source, localKeyId, client, turns, exchanges, unpriced, estimated, ...sums } = sumsOf(row);
  const { inputTokens, cachedInputTokens, cost, cacheSaving, avoidable } = sums;
  const caller = { source, localKeyId, client };
  const counts = { turns, exchanges, unpriced, estimated, inputTokens, cachedInputTokens };
  return { day: String(row.day), sessions: Number(row.sessions), ...caller, ...counts, cost, cacheSaving, avoidable };
}

/** Returns the latest sessions with a request that matches the filter, with the sums of the matching requests. */
export function sessionPage(database: DatabaseSync, { filter, limit }: Omit<SessionQuestion, 'ledger'>): SessionPage {
  const { sql, values } = whereOf(filter);
  const sessions = database
    .prepare(
      `SELECT ${SUMS} FROM exchanges WHERE session_id IS NOT NULL AND ${sql}
       GROUP BY session_id ORDER BY last_at DESC, session_id LIMIT ?`,
    )
    .all(...values, limit);
  const count = database
    .prepare(`SELECT count(DISTINCT session_id) AS count FROM exchanges WHERE ${sql}`)
    .get(...values);
  const others = database
    .prepare(
      `SELECT ${SUMS}, max(model) AS model FROM exchanges WHERE session_id IS NULL AND ${sql} HAVING count(*) > 0`,
    )
    .get(...values);
  return {
    count: Number(count?.count),
    sessions: withDetails(database, sessions),
    ...(others !== undefined && { withoutSession: sumsOf({ ...others, session_id: NO_SESSION }) }),
  };
}

function withDetails(database: DatabaseSync, sessions: readonly Stored[]): readonly SessionSums[] {
  const [model, latest] = [database.prepare(MODEL), database.prepare(LATEST)];
  return sessions.map((row) => {
    const id = String(row.session_id);
    return sumsOf({ ...row, ...model.get(id), ...latest.get(id) });
  });
}

function sumsOf(row: Stored): SessionSums {
  const status = row.status ?? undefined;
  const [all, samples] = [Number(row.cost), Number(row.sample_cost)];
  const isSample = samples > 0 && samples === all;
  const subagentCost = toDollars(Number(row.subagent_cost));
  return {
    ...requestSumsOf(row),
    sessionId: String(row.session_id),
    lastAt: Number(row.last_at),
    source: row.source as SessionSums['source'],
    localKeyId: String(row.local_key_id),
    client: String(row.client),
    conversationId: String(row.conversation_id),
    model: String(row.model ?? ''),
    otherModels: Number(row.other_models),
    turns: Number(row.turns),
    cachedInputTokens: Number(row.cached_input_tokens),
    cacheWriteTokens: Number(row.cache_write_tokens),
    // Sample money is never added to real money.
    cost: toDollars(isSample ? samples : all - samples),
    isSample,
    ...(subagentCost > 0 && { subagentCost }),
    avoidable: toDollars(Number(row.avoidable)),
    lastEnd: (row.ended ?? 'completed') as SessionSums['lastEnd'],
    ...(status !== undefined && { lastStatus: Number(status) }),
  };
}

/** Billionths of a US dollar. */
interface SumsInBillionths {
  saving: number;
  extra: number;
  avoidable: number;
}

/**
 * Returns what the caches of a period saved and cost. Groups the rows by quarters of an hour, since converting each of
 * them to local time would dominate the query.
 */
function cacheUsage(database: DatabaseSync, scope: UsageScope): CacheUsage {
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
  const [total, byTime] = [nothing(), new Map<string, SumsInBillionths>()];
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

function nothing(): SumsInBillionths {
  return { saving: 0, extra: 0, avoidable: 0 };
}

function inDollars({ saving, extra, avoidable }: SumsInBillionths) {
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
