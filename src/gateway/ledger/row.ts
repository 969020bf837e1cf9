import type { SQLInputValue } from 'node:sqlite';
import type { Usage } from '../../formats/conversation.ts';
import { redact } from '../../service/redact.ts';
import { costInBillionths } from '../core/cost.ts';
import type { LedgerEntry } from '../core/ledgerEntry.ts';

/** Texts that a caller chooses are cut here, in characters. */
const MAX_TEXT_LENGTH = 200;

type Row = Readonly<Record<(typeof COLUMNS)[number], SQLInputValue>>;

const COLUMNS = [
  'id',
  'at',
  'source',
  'local_key_id',
  'client',
  'endpoint',
  'format_in',
  'format_out',
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
] as const;

export const INSERT = `
  INSERT INTO exchanges (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`;

/** The values for {@link INSERT}. By place: by name SQLite takes three times as long for a row. */
export function valuesOf(entry: LedgerEntry): SQLInputValue[] {
  const row = rowOf(entry);
  return COLUMNS.map((name) => row[name]);
}

function rowOf(entry: LedgerEntry): Row {
  const { prices } = entry;
  const usage = counted(entry.usage);
  const cost = usage === undefined || prices === undefined ? undefined : costInBillionths(usage, prices);
  return {
    id: entry.id,
    at: wholeNumber(entry.at) ?? 0,
    source: entry.source,
    local_key_id: entry.localKeyId ?? null,
    client: chosen(entry.client),
    endpoint: entry.endpoint ?? null,
    format_in: entry.callerFormat ?? null,
    format_out: entry.upstreamFormat ?? null,
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
    usage_is_estimated: entry.usageIsEstimated === true ? 1 : 0,
    cost: cost ?? null,
    input_price: prices?.inputPrice ?? null,
    output_price: prices?.outputPrice ?? null,
    cached_input_price: prices?.cachedInputPrice ?? null,
    ended: entry.end,
    conversation_id: entry.conversationId ?? null,
    queue_ms: finite(entry.queueMs),
  };
}

/** A caller can write anything there, a key too. */
function chosen(text: string | undefined): string | null {
  return text === undefined ? null : redact(text.slice(0, MAX_TEXT_LENGTH));
}

/** One bad number from an upstream must not keep a whole batch from being written. */
function counted(usage: Usage | undefined): Usage | undefined {
  return wholeNumber(usage?.inputTokens) === null || wholeNumber(usage?.outputTokens) === null ? undefined : usage;
}

function wholeNumber(value: number | undefined): number | null {
  return value !== undefined && Number.isSafeInteger(Math.floor(value)) && value >= 0 ? Math.floor(value) : null;
}

function finite(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}
