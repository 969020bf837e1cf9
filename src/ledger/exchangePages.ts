import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Usage } from '../formats/usage.ts';
import type { CacheMissReason } from '../rules/cacheMiss.ts';
import type { UsageBound } from '../rules/exchange.ts';
import { type CostLine, costLines } from '../tokens/price.ts';
import { toDollars } from './cost.ts';
import { whereOf } from './exchangeConditions.ts';
import type { ExchangeNames, ExchangePage, ExchangeQuestion, ExchangeRow } from './exchangeQuery.ts';

type StoredExchange = Readonly<Record<string, SQLInputValue>>;

/** Returns a page of the exchanges that match a filter, with the sums of all matches. */
export function exchangePage(database: DatabaseSync, question: Omit<ExchangeQuestion, 'ledger'>): ExchangePage {
  const { filter, before, after, limit } = question;
  const all = whereOf(filter);
  const page = whereOf(filter, { ...(before !== undefined && { before }), ...(after !== undefined && { after }) });
  const rows = database
    .prepare(`SELECT * FROM exchanges WHERE ${page.sql} ORDER BY at DESC, number DESC LIMIT ?`)
    .all(...page.values, limit);
  const sums = database
    .prepare(
      `SELECT count(*) AS exchanges, total(cost) FILTER (WHERE coalesce(upstream, '') <> 'sandbox') AS cost,
         total(cost) FILTER (WHERE upstream = 'sandbox') AS sampleCost FROM exchanges WHERE ${all.sql}`,
    )
    .get(...all.values);
  return {
    rows: rows.map((row) => exchangeRow(row as StoredExchange)),
    exchanges: Number(sums?.exchanges),
    cost: toDollars(Number(sums?.cost)),
    sampleCost: toDollars(Number(sums?.sampleCost)),
  };
}

export function exchangeNames(database: DatabaseSync): ExchangeNames {
  const distinct = (column: 'model' | 'client') =>
    database
      .prepare(`SELECT DISTINCT ${column} AS name FROM exchanges WHERE ${column} IS NOT NULL ORDER BY 1`)
      .all()
      .map(({ name }) => String(name));
  return { models: distinct('model'), clients: distinct('client') };
}

/** Members whose column is NULL (unknown) are left undefined. */
function exchangeRow(row: StoredExchange): ExchangeRow {
  const usage = usageOf(row);
  const facts = Object.entries({
    localKeyId: row.local_key_id,
    client: row.client,
    conversationId: row.conversation_id,
    sessionId: row.session_id,
    agentId: row.agent_id,
    turnId: row.turn_id,
    step: row.step,
    agentType: row.agent_type,
    toolMs: row.tool_ms,
    upstreamMissReason: row.upstream_miss_reason,
    endpoint: row.endpoint,
    callerFormat: row.caller_format,
    upstreamFormat: row.upstream_format,
    model: row.model,
    upstream: row.upstream,
    answeredModel: row.answered_model,
    route: routeOf(row),
    attempts: row.attempts === null ? null : JSON.parse(String(row.attempts)),
    status: row.status,
    queueMs: row.queue_ms,
    firstByteMs: row.first_byte_ms,
    usage,
    cost: row.cost === null ? null : toDollars(Number(row.cost)),
    prices: pricesOf(row),
    bill: billOf(row, usage),
    cacheMiss: cacheMissOf(row),
    outputLimit: row.output_limit,
    sealed: row.sealed_secrets,
    secrets: row.secrets === null ? null : String(row.secrets).split(','),
    cacheSaving: row.cache_saving === null ? null : toDollars(Number(row.cache_saving)),
  }).filter(([, value]) => value !== null && value !== undefined);
  return {
    number: Number(row.number),
    id: String(row.id),
    at: Number(row.at),
    source: row.source as ExchangeRow['source'],
    durationMs: Number(row.duration_ms),
    end: row.ended as ExchangeRow['end'],
    ...(row.usage_is_estimated === 1 && { usageIsEstimated: true }),
    ...(row.usage_bound !== null && { usageBound: row.usage_bound as UsageBound }),
    ...(row.estimate_reports !== null && {
      estimateAccuracy: { error: Number(row.estimate_error), reports: Number(row.estimate_reports) },
    }),
    ...Object.fromEntries(facts),
  };
}

function routeOf({ route, route_rule: rule, route_when: when }: StoredExchange): ExchangeRow['route'] {
  if (route === null || route === undefined) return undefined;
  return {
    name: String(route),
    ...(rule !== null && { rule: Number(rule) }),
    ...(when !== null && { when: JSON.parse(String(when)) }),
  };
}

function usageOf(row: StoredExchange): Usage | undefined {
  if (row.input_tokens === null || row.output_tokens === null) return undefined;
  const counts = known(row, {
    cachedInputTokens: 'cached_input_tokens',
    cacheWriteTokens: 'cache_write_tokens',
    longCacheWriteTokens: 'long_cache_write_tokens',
    audioInputTokens: 'audio_input_tokens',
    imageInputTokens: 'image_input_tokens',
    reasoningTokens: 'reasoning_tokens',
    audioOutputTokens: 'audio_output_tokens',
    imageOutputTokens: 'image_output_tokens',
    webSearches: 'web_searches',
  });
  const reported = row.reported_cost === null ? {} : { reportedCost: toDollars(Number(row.reported_cost)) };
  return { inputTokens: Number(row.input_tokens), outputTokens: Number(row.output_tokens), ...counts, ...reported };
}

function pricesOf(row: StoredExchange): ExchangeRow['prices'] {
  if (row.input_price === null || row.output_price === null) return undefined;
  return {
    input: Number(row.input_price),
    output: Number(row.output_price),
    ...known(row, { cachedInput: 'cached_input_price' }),
  };
}

function cacheMissOf(row: StoredExchange): ExchangeRow['cacheMiss'] {
  if (row.cache_miss_reason === null) return undefined;
  return {
    reason: row.cache_miss_reason as CacheMissReason,
    missedTokens: Number(row.cache_missed_tokens),
    ...(row.cache_miss_cost !== null && { cost: toDollars(Number(row.cache_miss_cost)) }),
  };
}

/** The lines that add up to the cost with the prices stored in the row, unless the upstream has reported another amount. */
function billOf(row: StoredExchange, usage: Usage | undefined): readonly CostLine[] | undefined {
  if (usage === undefined || row.cost === null) return undefined;
  const prices = known(row, {
    inputPrice: 'input_price',
    outputPrice: 'output_price',
    cachedInputPrice: 'cached_input_price',
    cacheWritePrice: 'cache_write_price',
    longCacheWritePrice: 'long_cache_write_price',
    audioInputPrice: 'audio_input_price',
    imageInputPrice: 'image_input_price',
    audioOutputPrice: 'audio_output_price',
    imageOutputPrice: 'image_output_price',
    reasoningPrice: 'reasoning_price',
    webSearchPrice: 'web_search_price',
    requestPrice: 'request_price',
  });
  const assumed = String(row.assumed_prices ?? '').split(',');
  return costLines(usage, prices)?.map((line) => ({ ...line, isAssumed: assumed.includes(line.kind) }));
}

/** Returns the columns that are not NULL, under other names. */
function known<Name extends string>(
  row: StoredExchange,
  columns: Readonly<Record<Name, string>>,
): { [N in Name]?: number } {
  const entries = Object.entries<string>(columns).filter(([, column]) => row[column] !== null);
  return Object.fromEntries(entries.map(([name, column]) => [name, Number(row[column])])) as { [N in Name]?: number };
}
