/** The format's `input_tokens` excludes tokens read from or written to the cache; the neutral form includes them. */
import type { Usage } from '../conversation.ts';
import { defined } from '../defined.ts';
import type { WireUsage } from './schema.ts';

/** `undefined` if there are no counts. */
export function decodeUsage(usage: WireUsage | null | undefined): Usage | undefined {
  if (typeof usage?.input_tokens !== 'number' && typeof usage?.output_tokens !== 'number') return undefined;
  const cachedInputTokens = usage.cache_read_input_tokens ?? undefined;
  const lifetimes = usage.cache_creation;
  const long = lifetimes?.ephemeral_1h_input_tokens ?? 0;
  const cacheWriteTokens =
    usage.cache_creation_input_tokens ?? (lifetimes ? long + (lifetimes.ephemeral_5m_input_tokens ?? 0) : undefined);
  return defined({
    inputTokens: (usage.input_tokens ?? 0) + (cachedInputTokens ?? 0) + (cacheWriteTokens ?? 0),
    outputTokens: usage.output_tokens ?? 0,
    cachedInputTokens,
    cacheWriteTokens,
    longCacheWriteTokens: long || undefined,
    webSearches: usage.server_tool_use?.web_search_requests || undefined,
    reasoningTokens: usage.output_tokens_details?.thinking_tokens ?? undefined,
  });
}

/** Strict clients require every counter to be a number, so missing ones are 0. */
export function encodeUsage(usage: Usage | undefined) {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens } = usage ?? {
    inputTokens: 0,
    outputTokens: 0,
  };
  const read = cachedInputTokens ?? 0;
  const written = cacheWriteTokens ?? 0;
  return defined({
    input_tokens: Math.max(0, inputTokens - read - written),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: outputTokens,
    output_tokens_details: reasoningTokens === undefined ? undefined : { thinking_tokens: reasoningTokens },
  });
}

/** Counters are totals: a later number replaces an earlier one, and null is ignored. */
export function mergeUsage(earlier: WireUsage, later: WireUsage | null | undefined): WireUsage {
  const told = Object.entries(later ?? {}).filter(([, value]) => value !== null && value !== undefined);
  return { ...earlier, ...Object.fromEntries(told) };
}
