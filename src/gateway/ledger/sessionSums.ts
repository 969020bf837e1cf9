import type { DatabaseSync } from 'node:sqlite';
import { addDays, startOfDay } from '../../display/day.ts';
import { AVOIDABLE_REASONS, type CacheMissReason } from '../../rules/cacheMiss.ts';
import { toDollars } from '../core/cost.ts';
import type { SessionSums, UsageScope, UsageSessions } from './usage.ts';

/** More are not shown. */
const MAX_SESSIONS = 50;

const AVOIDABLE = AVOIDABLE_REASONS.map((reason) => `'${reason}'`).join(', ');

const SESSIONS = (condition: string) => `
  SELECT session_id, min(at) AS at, max(at) AS last_at, min(source) AS source,
    coalesce(min(local_key_id), '') AS local_key_id, coalesce(min(client), '') AS client,
    coalesce(min(conversation_id), '') AS conversation_id,
    max(0, count(DISTINCT model) - 1) AS other_models, count(DISTINCT turn_id) AS turns, count(*) AS exchanges,
    count(*) FILTER (WHERE cost IS NULL AND input_tokens IS NOT NULL) AS unpriced,
    total(usage_is_estimated) AS estimated, total(input_tokens) AS input_tokens,
    total(cached_input_tokens) AS cached_input_tokens, total(cache_write_tokens) AS cache_write_tokens,
    total(cost) AS cost, total(cache_miss_cost) FILTER (WHERE cache_miss_reason IN (${AVOIDABLE})) AS avoidable
  FROM exchanges WHERE session_id IS NOT NULL AND ${condition}
  GROUP BY session_id ORDER BY cost DESC, last_at DESC LIMIT ${MAX_SESSIONS}`;

const MODEL = `
  SELECT model FROM exchanges WHERE session_id = ? AND model IS NOT NULL
  GROUP BY model ORDER BY total(cost) DESC, count(*) DESC LIMIT 1`;

/** The sessions of a period, and why their caches missed. Read from the rows, so it takes longer than the daily sums. */
export function usageSessions(database: DatabaseSync, { period, ofSandbox }: UsageScope): UsageSessions {
  const range = [startOfDay(period.first), startOfDay(addDays(period.last, 1))];
  const condition = `at >= ? AND at < ? AND coalesce(upstream, '') ${ofSandbox ? '=' : '<>'} 'sandbox'`;
  const count = database
    .prepare(`SELECT count(DISTINCT session_id) AS count FROM exchanges WHERE ${condition}`)
    .get(...range);
  const model = database.prepare(MODEL);
  const sessions = database.prepare(SESSIONS(condition)).all(...range);
  const misses = database
    .prepare(
      `SELECT cache_miss_reason AS reason, count(*) AS exchanges, total(cache_miss_cost) AS cost FROM exchanges
       WHERE cache_miss_reason IN (${AVOIDABLE}) AND ${condition} GROUP BY 1 ORDER BY cost DESC, exchanges DESC`,
    )
    .all(...range);
  return {
    count: Number(count?.count),
    sessions: sessions.map((row) => sumsOf(row, String(model.get(String(row.session_id))?.model ?? ''))),
    misses: misses.map(({ reason, exchanges, cost }) => ({
      reason: reason as CacheMissReason,
      exchanges: Number(exchanges),
      cost: toDollars(Number(cost)),
    })),
  };
}

function sumsOf(row: Readonly<Record<string, unknown>>, model: string): SessionSums {
  return {
    sessionId: String(row.session_id),
    at: Number(row.at),
    lastAt: Number(row.last_at),
    source: String(row.source),
    localKeyId: String(row.local_key_id),
    client: String(row.client),
    conversationId: String(row.conversation_id),
    model,
    otherModels: Number(row.other_models),
    turns: Number(row.turns),
    exchanges: Number(row.exchanges),
    unpriced: Number(row.unpriced),
    estimated: Number(row.estimated),
    inputTokens: Number(row.input_tokens),
    cachedInputTokens: Number(row.cached_input_tokens),
    cacheWriteTokens: Number(row.cache_write_tokens),
    cost: toDollars(Number(row.cost)),
    avoidable: toDollars(Number(row.avoidable)),
  };
}
