import { defined } from '../json.ts';
import { reportedCost, type Usage, withUnlistedPrice } from '../usage.ts';
import type { ResponsesUsage, StreamedResponse } from './schema.ts';
import { usageWithSearches } from './webSearches.ts';

/**
 * Decodes usage. Cached tokens are part of the input in both forms.
 * @returns undefined if there are no counts.
 */
export function decodeUsage(wire: ResponsesUsage | null | undefined): Usage | undefined {
  if (typeof wire?.input_tokens !== 'number' && typeof wire?.output_tokens !== 'number') return undefined;
  return defined({
    inputTokens: wire.input_tokens ?? 0,
    outputTokens: outputOf(wire),
    cachedInputTokens: wire.input_tokens_details?.cached_tokens ?? undefined,
    cacheWriteTokens: wire.input_tokens_details?.cache_write_tokens ?? undefined,
    reasoningTokens: wire.output_tokens_details?.reasoning_tokens ?? undefined,
    webSearches: wire.server_tool_use?.web_search_requests ?? undefined,
    reportedCost: reportedCost(wire),
  });
}

/** Returns the whole output. Some services leave reasoning out of `output_tokens` and include it in the total. */
function outputOf({ input_tokens: input, output_tokens: output, total_tokens: total }: ResponsesUsage): number {
  const whole = Number.isSafeInteger(total) ? (total ?? 0) : 0;
  return Math.max(output ?? 0, whole - (input ?? 0));
}

/**
 * Decodes the usage of an answer, including its web searches.
 *
 * @param shown the number of searches that a stream has shown before.
 */
export function decodeAnswerUsage(
  answer: Pick<StreamedResponse, 'output' | 'usage'>,
  shown?: number,
): Usage | undefined {
  const wire = usageWithSearches(answer, shown) as ResponsesUsage | null | undefined;
  const usage = withUnlistedPrice(decodeUsage(wire), answer, wire);
  return usage && defined({ ...usage, webSearches: usage.webSearches || undefined });
}

export function encodeUsage(usage: Usage): ResponsesUsage {
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedInputTokens, cache_write_tokens: cacheWriteTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  };
}
