import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { toDollars } from '../core/cost.ts';
import { whereOf } from './exchangeConditions.ts';
import type { ExchangeNames, ExchangePage, ExchangeQuestion, ExchangeRow } from './exchangeQuery.ts';

type Stored = Readonly<Record<string, SQLInputValue>>;

/** A page of the exchanges that a filter lets through, with the sums of all of them. */
export function exchangePage(database: DatabaseSync, question: Omit<ExchangeQuestion, 'ledger'>): ExchangePage {
  const { filter, before, after, limit } = question;
  const all = whereOf(filter);
  const page = whereOf(filter, { ...(before !== undefined && { before }), ...(after !== undefined && { after }) });
  const rows = database
    .prepare(`SELECT * FROM exchanges WHERE ${page.sql} ORDER BY at DESC, number DESC LIMIT ?`)
    .all(...page.values, limit);
  const sums = database
    .prepare(`SELECT count(*) AS exchanges, total(cost) AS cost FROM exchanges WHERE ${all.sql}`)
    .get(...all.values);
  return {
    rows: rows.map((row) => exchangeRow(row as Stored)),
    exchanges: Number(sums?.exchanges),
    cost: toDollars(Number(sums?.cost)),
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

/** NULL is what nobody knows, and absent here. */
function exchangeRow(row: Stored): ExchangeRow {
  const known = Object.entries({
    localKeyId: row.local_key_id,
    client: row.client,
    conversationId: row.conversation_id,
    endpoint: row.endpoint,
    callerFormat: row.format_in,
    upstreamFormat: row.format_out,
    model: row.model,
    upstream: row.upstream,
    status: row.status,
    queueMs: row.queue_ms,
    firstByteMs: row.first_byte_ms,
    usage: usageOf(row),
    cost: row.cost === null ? null : toDollars(Number(row.cost)),
    prices: pricesOf(row),
  }).filter(([, value]) => value !== null && value !== undefined);
  return {
    number: Number(row.number),
    id: String(row.id),
    at: Number(row.at),
    source: row.source as ExchangeRow['source'],
    durationMs: Number(row.duration_ms),
    end: row.ended as ExchangeRow['end'],
    ...(row.usage_is_estimated === 1 && { usageIsEstimated: true }),
    ...Object.fromEntries(known),
  };
}

function usageOf(row: Stored): ExchangeRow['usage'] {
  if (row.input_tokens === null || row.output_tokens === null) return undefined;
  return {
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    ...(row.cached_input_tokens !== null && { cachedInputTokens: Number(row.cached_input_tokens) }),
    ...(row.cache_write_tokens !== null && { cacheWriteTokens: Number(row.cache_write_tokens) }),
    ...(row.reasoning_tokens !== null && { reasoningTokens: Number(row.reasoning_tokens) }),
  };
}

function pricesOf(row: Stored): ExchangeRow['prices'] {
  if (row.input_price === null || row.output_price === null) return undefined;
  return {
    input: Number(row.input_price),
    output: Number(row.output_price),
    ...(row.cached_input_price !== null && { cachedInput: Number(row.cached_input_price) }),
  };
}
