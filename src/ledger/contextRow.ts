import type { CacheMissReason } from '../rules/cacheMiss.ts';
import type { BilledPart } from '../rules/contextPart.ts';
import { readContext } from './contextCost.ts';

export interface ContextRow {
  readonly id: string;
  readonly sessionId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Undefined for the main agent. */
  readonly agentId?: string;
  readonly client?: string;
  readonly inputTokens: number;
  /** The billed tokens for each estimated token. */
  readonly scale: number;
  readonly parts: readonly BilledPart[];
  readonly miss?: { readonly reason: CacheMissReason /** Billionths of a US dollar. */; readonly cost: number };
  /** The price of tokens from the cache, in billionths of a US dollar. Undefined if it is not known. */
  readonly readPrice?: number;
}

/** The columns that a row is read from. */
export const CONTEXT_COLUMNS = [
  'id',
  'session_id',
  'at',
  'agent_id',
  'client',
  'context',
  'cache_miss_reason',
  'cache_miss_cost',
  'input_price',
  'cached_input_price',
] as const;

/** Prices are in US dollars per million tokens. */
const BILLIONTHS_PER_TOKEN = 1_000;
/** The price of a cache that a request does not show, as a part of the price of its input. */
const READ_PART = 0.1;

/** @returns undefined if the request was not measured. */
export function contextRow(
  row: Readonly<Partial<Record<(typeof CONTEXT_COLUMNS)[number], unknown>>>,
): ContextRow | undefined {
  const context = readContext(row.context);
  if (context === undefined) return undefined;
  const { agent_id: agent, client, cache_miss_reason: reason, input_price: input, cached_input_price: cached } = row;
  const readPrice = cached ?? (typeof input === 'number' ? input * READ_PART : null);
  return {
    id: String(row.id),
    sessionId: String(row.session_id ?? ''),
    at: Number(row.at),
    ...(typeof agent === 'string' && { agentId: agent }),
    ...(typeof client === 'string' && { client }),
    inputTokens: context.parts.reduce((sum, { tokens }) => sum + tokens, 0),
    ...context,
    ...(typeof reason === 'string' && {
      miss: { reason: reason as CacheMissReason, cost: Number(row.cache_miss_cost ?? 0) },
    }),
    ...(typeof readPrice === 'number' && { readPrice: readPrice * BILLIONTHS_PER_TOKEN }),
  };
}
