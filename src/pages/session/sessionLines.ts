import type { ExchangeRow } from '../../ledger/exchangeQuery.ts';

/**
 * Formats a session as JSON Lines: one object per request, with the names and units of the ledger's contract. Unknown
 * values are null, times are in milliseconds since the epoch, and costs in billionths of a US dollar.
 */
export function sessionLines(rows: readonly ExchangeRow[]): string {
  return rows.map((row) => `${JSON.stringify(lineOf(row))}\n`).join('');
}

function lineOf(row: ExchangeRow): object {
  const { usage, cacheMiss } = row;
  return {
    id: row.id,
    at: row.at,
    source: row.source,
    session_id: row.sessionId ?? null,
    agent_id: row.agentId ?? null,
    agent_type: row.agentType ?? null,
    turn_id: row.turnId ?? null,
    tool_ms: row.toolMs ?? null,
    step: row.step ?? null,
    client: row.client ?? null,
    endpoint: row.endpoint ?? null,
    model: row.model ?? null,
    upstream: row.upstream ?? null,
    status: row.status ?? null,
    first_byte_ms: row.firstByteMs ?? null,
    duration_ms: row.durationMs,
    input_tokens: usage?.inputTokens ?? null,
    cached_input_tokens: usage?.cachedInputTokens ?? null,
    cache_write_tokens: usage?.cacheWriteTokens ?? null,
    long_cache_write_tokens: usage?.longCacheWriteTokens ?? null,
    output_tokens: usage?.outputTokens ?? null,
    reasoning_tokens: usage?.reasoningTokens ?? null,
    usage_is_estimated: row.usageIsEstimated === true ? 1 : 0,
    cost: billionths(row.cost),
    cache_saving: billionths(row.cacheSaving),
    cache_miss_reason: cacheMiss?.reason ?? null,
    upstream_miss_reason: row.upstreamMissReason ?? null,
    cache_missed_tokens: cacheMiss?.missedTokens ?? null,
    cache_miss_cost: billionths(cacheMiss?.cost),
    secrets: row.secrets?.join() ?? null,
    sealed_secrets: row.sealed ?? null,
    ended: row.end,
  };
}

function billionths(dollars: number | undefined): number | null {
  return dollars === undefined ? null : Math.round(dollars * 1e9);
}
