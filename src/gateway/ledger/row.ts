import type { SQLInputValue } from 'node:sqlite';
import type { Usage } from '../../formats/conversation.ts';
import type { FlatPrices } from '../../service/modelPrices.ts';
import { redact } from '../../service/redact.ts';
import { type CostKind, type CostLine, cacheSaving, costLines, missCost, pricesFor } from '../../tokens/price.ts';
import { sumInBillionths, toBillionths } from '../core/cost.ts';
import type { LedgerEntry } from '../core/ledgerEntry.ts';
import type { UpstreamAttempt } from '../core/upstreamAttempt.ts';

/** Strings chosen by a caller are truncated to this length, in characters. */
const MAX_TEXT_LENGTH = 200;

type Row = Readonly<Record<(typeof COLUMNS)[number], SQLInputValue>>;

const COLUMNS = [
  'id',
  'at',
  'source',
  'local_key_id',
  'client',
  'endpoint',
  'caller_format',
  'upstream_format',
  'model',
  'upstream',
  'status',
  'first_byte_ms',
  'duration_ms',
  'input_tokens',
  'output_tokens',
  'cached_input_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'usage_is_estimated',
  'cost',
  'input_price',
  'output_price',
  'cached_input_price',
  'ended',
  'conversation_id',
  'queue_ms',
  'long_cache_write_tokens',
  'audio_input_tokens',
  'image_input_tokens',
  'audio_output_tokens',
  'image_output_tokens',
  'web_searches',
  'cache_write_price',
  'long_cache_write_price',
  'audio_input_price',
  'image_input_price',
  'audio_output_price',
  'image_output_price',
  'web_search_price',
  'assumed_prices',
  'cache_saving',
  'session_id',
  'agent_id',
  'turn_id',
  'cache_miss_reason',
  'cache_missed_tokens',
  'cache_miss_cost',
  'estimate_error',
  'estimate_reports',
  'answered_model',
  'route',
  'route_rule',
  'route_when',
  'attempts',
  'attempts_cost',
  'attempts_input_tokens',
  'attempts_output_tokens',
  'secrets',
  'agent_type',
  'upstream_miss_reason',
  'tool_ms',
  'step',
  'reported_cost',
  'reasoning_price',
  'request_price',
] as const;

export const COLUMN_NAMES: readonly string[] = COLUMNS;

export const INSERT = `
  INSERT INTO exchanges (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`;

/**
 * Returns the values for {@link INSERT}, in order: SQLite takes three times as long for a row with named parameters.
 */
export function valuesOf(entry: LedgerEntry): SQLInputValue[] {
  const row = rowOf(entry);
  return COLUMNS.map((name) => row[name]);
}

function rowOf(entry: LedgerEntry): Row {
  const usage = counted(entry.usage);
  const prices = entry.prices && pricesFor(usage?.inputTokens ?? 0, entry.prices);
  const bill = billOf(prices, usage);
  const reported = usage?.reportedCost === undefined ? undefined : toBillionths(usage.reportedCost);
  const priceOfKind = (kind: CostKind) => bill?.lines.find((line) => line.kind === kind)?.price;
  return {
    id: entry.id,
    at: wholeNumber(entry.at) ?? 0,
    source: entry.source,
    local_key_id: entry.localKeyId ?? null,
    client: chosen(entry.client),
    endpoint: entry.endpoint ?? null,
    caller_format: entry.callerFormat ?? null,
    upstream_format: entry.upstreamFormat ?? null,
    model: chosen(entry.model),
    upstream: entry.upstream ?? null,
    status: wholeNumber(entry.status),
    first_byte_ms: finite(entry.firstByteMs),
    duration_ms: finite(entry.durationMs) ?? 0,
    input_tokens: wholeNumber(usage?.inputTokens),
    output_tokens: wholeNumber(usage?.outputTokens),
    cached_input_tokens: wholeNumber(usage?.cachedInputTokens),
    cache_write_tokens: wholeNumber(usage?.cacheWriteTokens),
    reasoning_tokens: wholeNumber(usage?.reasoningTokens),
    usage_is_estimated: isEstimated(entry) ? 1 : 0,
    cost: wholeNumber(entry.cost ?? reported ?? bill?.cost),
    input_price: prices?.inputPrice ?? null,
    output_price: prices?.outputPrice ?? null,
    cached_input_price: priceOfKind('cachedInput') ?? prices?.cachedInputPrice ?? null,
    ended: entry.end,
    conversation_id: entry.conversationId ?? null,
    queue_ms: finite(entry.queueMs),
    long_cache_write_tokens: wholeNumber(usage?.longCacheWriteTokens),
    audio_input_tokens: wholeNumber(usage?.audioInputTokens),
    image_input_tokens: wholeNumber(usage?.imageInputTokens),
    audio_output_tokens: wholeNumber(usage?.audioOutputTokens),
    image_output_tokens: wholeNumber(usage?.imageOutputTokens),
    web_searches: wholeNumber(usage?.webSearches),
    cache_write_price: priceOfKind('cacheWrite') ?? null,
    long_cache_write_price: priceOfKind('longCacheWrite') ?? null,
    audio_input_price: priceOfKind('audioInput') ?? null,
    image_input_price: priceOfKind('imageInput') ?? null,
    audio_output_price: priceOfKind('audioOutput') ?? null,
    image_output_price: priceOfKind('imageOutput') ?? null,
    web_search_price: priceOfKind('webSearch') ?? null,
    assumed_prices: bill?.assumed ?? null,
    cache_saving: entry.cacheIsAssumed === true ? null : (bill?.saving ?? null),
    session_id: entry.sessionId ?? null,
    agent_id: entry.agentId ?? null,
    turn_id: entry.turnId ?? null,
    cache_miss_reason: entry.cacheMiss?.reason ?? null,
    cache_missed_tokens: wholeNumber(entry.cacheMiss?.missedTokens),
    cache_miss_cost: missCostOf(entry, usage),
    estimate_error: finite(entry.estimateAccuracy?.error),
    estimate_reports: wholeNumber(entry.estimateAccuracy?.reports),
    answered_model: chosen(entry.answeredModel),
    ...attemptsOf(entry),
    secrets: entry.secrets?.join() ?? null,
    agent_type: chosen(entry.agentType),
    upstream_miss_reason: entry.upstreamMissReason ?? null,
    tool_ms: wholeNumber(entry.toolMs),
    step: wholeNumber(entry.step),
    reported_cost: wholeNumber(reported),
    reasoning_price: priceOfKind('reasoning') ?? null,
    request_price: priceOfKind('request') ?? null,
  };
}

function missCostOf({ cacheMiss, prices }: LedgerEntry, usage: Usage | undefined): number | null {
  const cost = cacheMiss && usage && prices && missCost(cacheMiss.missedTokens, usage, prices);
  return cost === undefined ? null : toBillionths(cost);
}

function isEstimated({ usageIsEstimated = false, attempts = [] }: LedgerEntry): boolean {
  return usageIsEstimated || attempts.some((attempt) => attempt.usageIsEstimated === true);
}

/** The attempts as JSON, and the sums of those that were billed although they failed. */
function attemptsOf({ route, attempts = [] }: LedgerEntry) {
  const billed = attempts.filter(({ usage }) => usage !== undefined);
  const sum = (of: (attempt: UpstreamAttempt) => number | undefined) =>
    billed.length === 0 ? null : wholeNumber(billed.reduce((total, attempt) => total + (of(attempt) ?? 0), 0));
  return {
    route: chosen(route?.name),
    route_rule: wholeNumber(route?.rule),
    route_when: route?.when === undefined ? null : JSON.stringify(route.when),
    attempts: attempts.length === 0 ? null : JSON.stringify(attempts.map(shortened)),
    attempts_cost: sum(({ cost = 0 }) => toBillionths(cost)),
    attempts_input_tokens: sum(({ usage }) => usage?.inputTokens),
    attempts_output_tokens: sum(({ usage }) => usage?.outputTokens),
  };
}

function shortened({ fallbackModels: _, ...attempt }: UpstreamAttempt): UpstreamAttempt {
  const answeredModel = chosen(attempt.answeredModel);
  return { ...attempt, model: chosen(attempt.model) ?? '', ...(answeredModel !== null && { answeredModel }) };
}

interface Bill {
  readonly lines: readonly CostLine[];
  /** Cost of the answer, in billionths of a US dollar. */
  readonly cost: number;
  readonly saving: number | null;
  /** The kinds of cost whose price is assumed, because the catalog has none. */
  readonly assumed: string | null;
}

function billOf(prices: FlatPrices | undefined, usage: Usage | undefined): Bill | undefined {
  const lines = usage && prices && costLines(usage, prices);
  const cost = lines && sumInBillionths(lines);
  if (lines === undefined || cost === undefined) return undefined;
  const saving = cacheSaving(lines, prices?.inputPrice ?? 0);
  const assumed = lines.filter(({ isAssumed }) => isAssumed).map(({ kind }) => kind);
  return {
    lines,
    cost,
    saving: saving === undefined ? null : toBillionths(saving),
    assumed: assumed.length === 0 ? null : assumed.join(','),
  };
}

/** A caller can send any string here, even a key, so secrets are redacted. */
function chosen(text: string | undefined): string | null {
  return text === undefined ? null : redact(text.slice(0, MAX_TEXT_LENGTH));
}

/** An invalid number from an upstream must not prevent a whole batch from being written. */
function counted(usage: Usage | undefined): Usage | undefined {
  return wholeNumber(usage?.inputTokens) === null || wholeNumber(usage?.outputTokens) === null ? undefined : usage;
}

function wholeNumber(value: number | undefined): number | null {
  return value !== undefined && Number.isSafeInteger(Math.floor(value)) && value >= 0 ? Math.floor(value) : null;
}

function finite(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}
