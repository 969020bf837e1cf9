import type { Usage } from '../conversation.ts';
import { defined } from '../defined.ts';
import type { WireUsage } from './schema.ts';

/**
 * Decodes usage. `prompt_tokens` includes cached tokens, as in the neutral form.
 * @returns undefined if the object contains no counts.
 */
export function decodeUsage(wire: WireUsage | null | undefined): Usage | undefined {
  if (typeof wire?.prompt_tokens !== 'number' && typeof wire?.completion_tokens !== 'number') return undefined;
  const { prompt_tokens_details: prompt, completion_tokens_details: completion } = wire;
  return {
    inputTokens: wire.prompt_tokens ?? 0,
    outputTokens: outputTokens(wire),
    ...defined({
      cachedInputTokens:
        prompt?.cached_tokens ?? wire.prompt_cache_hit_tokens ?? wire.cache_read_input_tokens ?? undefined,
      cacheWriteTokens:
        prompt?.cache_write_tokens ?? prompt?.cache_creation_tokens ?? wire.cache_creation_input_tokens ?? undefined,
      longCacheWriteTokens: wire.cache_creation?.ephemeral_1h_input_tokens || undefined,
      audioInputTokens: prompt?.audio_tokens || undefined,
      imageInputTokens: prompt?.image_tokens || undefined,
      reasoningTokens: completion?.reasoning_tokens ?? undefined,
      audioOutputTokens: completion?.audio_tokens || undefined,
      imageOutputTokens: completion?.image_tokens || undefined,
      webSearches: wire.server_tool_use?.web_search_requests ?? undefined,
    }),
  };
}

/** Returns the output tokens. Some services exclude reasoning from `completion_tokens` but include it in the total. */
function outputTokens(wire: WireUsage): number {
  const prompt = wire.prompt_tokens ?? 0;
  const completion = wire.completion_tokens ?? 0;
  const reasoning = wire.completion_tokens_details?.reasoning_tokens ?? 0;
  return wire.total_tokens === prompt + completion + reasoning ? completion + reasoning : completion;
}

export function encodeUsage(usage: Usage): WireUsage {
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
