/**
 * Estimates the cost of the same work on another model, which counts the same text differently and writes answers of
 * another length.
 */
import type { Usage } from '../formats/usage.ts';
import type { Prices } from '../service/modelPrices.ts';
import { priceOf } from './price.ts';

/** The shares by which the token count of the same text, and the length of an answer, may differ. */
const TOKENIZER = 0.1;
const ANSWER = 0.3;

/** In US dollars. */
export interface CostRange {
  readonly low: number;
  readonly high: number;
}

/** Returns undefined if the model has no known price. */
export function costRange(usages: readonly Usage[], prices: Prices): CostRange | undefined {
  const low = totalOf(prices, usages, -1);
  const high = totalOf(prices, usages, 1);
  return low === undefined || high === undefined ? undefined : { low, high };
}

function totalOf(prices: Prices, usages: readonly Usage[], sign: 1 | -1): number | undefined {
  return usages.reduce<number | undefined>((sum, usage) => {
    const cost = priceOf(scaled(usage, 1 + sign * TOKENIZER, 1 + sign * ANSWER), prices);
    return sum === undefined || cost === undefined ? undefined : sum + cost;
  }, 0);
}

/** Searches are not tokens, so their number is not scaled. */
function scaled(usage: Usage, ofInput: number, ofOutput: number): Usage {
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0, longCacheWriteTokens = 0 } = usage;
  return {
    inputTokens: inputTokens * ofInput,
    outputTokens: outputTokens * ofOutput,
    cachedInputTokens: cachedInputTokens * ofInput,
    cacheWriteTokens: cacheWriteTokens * ofInput,
    longCacheWriteTokens: longCacheWriteTokens * ofInput,
    ...(usage.webSearches !== undefined && { webSearches: usage.webSearches }),
  };
}
