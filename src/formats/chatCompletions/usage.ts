import { defined, isRecord } from '../json.ts';
import { reportedCost, type Usage } from '../usage.ts';
import type { ChatCompletionsEvent, ChatUsage } from './schema.ts';

/** Returns the usage of a chunk. Some services report it beside the first choice, or under a name of their own. */
export function usageIn({ usage, choices, x_groq: own }: Pick<ChatCompletionsEvent, 'usage' | 'choices' | 'x_groq'>) {
  return usage ?? choices?.[0]?.usage ?? own?.usage;
}

/**
 * Decodes usage. `prompt_tokens` includes cached tokens, as in the neutral form.
 * @returns undefined if the object contains no counts.
 */
export function decodeUsage(wire: ChatUsage | null | undefined): Usage | undefined {
  if (typeof wire?.prompt_tokens !== 'number' && typeof wire?.completion_tokens !== 'number') return undefined;
  const { prompt_tokens_details: prompt, completion_tokens_details: completion } = wire;
  const written = writesIn(wire) ?? (prompt ? writesIn(prompt) : undefined);
  const cache = defined({
    cachedInputTokens: firstCount(
      prompt?.cached_tokens,
      wire.prompt_cache_hit_tokens,
      wire.cache_read_input_tokens,
      wire.cached_tokens,
    ),
    cacheWriteTokens: firstCount(
      prompt?.cache_write_tokens,
      prompt?.cache_creation_tokens,
      prompt?.cache_creation_input_tokens,
      wire.cache_creation_input_tokens,
      written?.all,
    ),
  });
  return {
    ...totals(wire, cache),
    ...cache,
    ...defined({
      longCacheWriteTokens: written?.long || undefined,
      audioInputTokens: prompt?.audio_tokens || undefined,
      imageInputTokens: prompt?.image_tokens || undefined,
      reasoningTokens: completion?.reasoning_tokens ?? undefined,
      audioOutputTokens: completion?.audio_tokens || undefined,
      imageOutputTokens: completion?.image_tokens || undefined,
      webSearches: wire.server_tool_use?.web_search_requests ?? undefined,
      reportedCost: reportedCost(wire),
    }),
  };
}

type ReportedCount = number | null | undefined;

/** Some services fill in only one of the names that others use, and write 0 into the rest. */
function firstCount(
  one: ReportedCount,
  two: ReportedCount,
  three: ReportedCount,
  four: ReportedCount,
  five?: ReportedCount,
): number | undefined {
  return one || two || three || four || five || (one ?? two ?? three ?? four ?? five ?? undefined);
}

/** Returns the cache writes that an object lists by how long they are kept. */
function writesIn({
  cache_creation: creation,
  cache_creation_token_details: details,
}: Pick<ChatUsage, 'cache_creation' | 'cache_creation_token_details'>) {
  const lifetimes = creation ?? details;
  if (!lifetimes) return undefined;
  const { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long } = lifetimes;
  return { all: (short ?? 0) + (long ?? 0), long: long ?? 0 };
}

type Totals = Pick<Usage, 'inputTokens' | 'outputTokens'>;

/**
 * Returns the whole input and output. Some services leave reasoning out of `completion_tokens`, or cached tokens out of
 * `prompt_tokens`, and include them in the total.
 */
function totals(wire: ChatUsage, { cachedInputTokens = 0, cacheWriteTokens = 0 }: Partial<Usage>): Totals {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = wire;
  if (!prompt || typeof completion !== 'number') return { inputTokens: prompt ?? 0, outputTokens: completion ?? 0 };
  const cached = cachedInputTokens + cacheWriteTokens;
  const reasoning = wire.completion_tokens_details?.reasoning_tokens ?? 0;
  const missing = Number.isSafeInteger(total) ? (total ?? 0) - prompt - completion : 0;
  const isInTotal = cached > 0 && missing !== reasoning && (missing === cached || missing === cached + reasoning);
  const excluded = isInTotal || cached > prompt ? cached : 0;
  return { inputTokens: prompt + excluded, outputTokens: completion + Math.max(0, missing - excluded) };
}

export function encodeUsage(usage: Usage): ChatUsage {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens } = usage;
  const prompt = defined({ cached_tokens: cachedInputTokens, cache_write_tokens: cacheWriteTokens });
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(Object.keys(prompt).length > 0 && { prompt_tokens_details: prompt }),
    ...(reasoningTokens !== undefined && { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  };
}

/** Whether a delta contains part of the answer, which usage in the same chunk may not count, and not only its role. */
export function hasOutput(delta: unknown): boolean {
  return isRecord(delta) && Object.entries(delta).some(([name, value]) => name !== 'role' && !isEmpty(value));
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'string' || Array.isArray(value)) return value.length === 0;
  return value === null || value === undefined || (isRecord(value) && Object.keys(value).length === 0);
}
