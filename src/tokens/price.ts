/** Price arithmetic. Prices are US dollars for a million tokens, results are US dollars. */
import type { Usage } from '../formats/conversation.ts';
import type { Prices } from '../service/modelPrices.ts';

const MILLION = 1_000_000;

/** @returns undefined when the catalog gives no price for input. */
export function inputCost(tokens: number, prices: Prices): number | undefined {
  return prices.inputPrice === undefined ? undefined : (tokens * prices.inputPrice) / MILLION;
}

/** @returns undefined when the catalog gives no price for output. */
export function outputCost(tokens: number, prices: Prices): number | undefined {
  return prices.outputPrice === undefined ? undefined : (tokens * prices.outputPrice) / MILLION;
}

/**
 * What an exchange cost. Cached input has its own price where the catalog knows one, else that of other input, so
 * that the figure is too high rather than too low. Reasoning is part of the output.
 * @returns undefined when a price is missing for tokens that were used.
 */
export function priceOf(usage: Usage, prices: Prices): number | undefined {
  const cached = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens);
  const fresh = inputCost(usage.inputTokens - cached, prices);
  const cachedPrice = prices.cachedInputPrice ?? prices.inputPrice;
  const output = usage.outputTokens === 0 ? 0 : outputCost(usage.outputTokens, prices);
  if (fresh === undefined || cachedPrice === undefined || output === undefined) return undefined;
  return fresh + (cached * cachedPrice) / MILLION + output;
}
