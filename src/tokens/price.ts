/** Price arithmetic. Prices are in US dollars per 1M tokens, results in US dollars. */
import type { Usage } from '../formats/conversation.ts';
import type { Prices } from '../service/modelPrices.ts';

const MILLION = 1_000_000;

/** @returns undefined if the catalog has no input price. */
export function inputCost(tokens: number, prices: Prices): number | undefined {
  return prices.inputPrice === undefined ? undefined : (tokens * prices.inputPrice) / MILLION;
}

/** @returns undefined if the catalog has no output price. */
export function outputCost(tokens: number, prices: Prices): number | undefined {
  return prices.outputPrice === undefined ? undefined : (tokens * prices.outputPrice) / MILLION;
}

/**
 * The cost of an exchange. Cached input has its own price if the catalog has one, otherwise the input price, so
 * that the figure is too high rather than too low. Reasoning is part of the output.
 * @returns undefined if a price is missing for tokens that were used.
 */
export function priceOf(usage: Usage, prices: Prices): number | undefined {
  const cached = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens);
  const fresh = inputCost(usage.inputTokens - cached, prices);
  const cachedPrice = prices.cachedInputPrice ?? prices.inputPrice;
  const output = usage.outputTokens === 0 ? 0 : outputCost(usage.outputTokens, prices);
  if (fresh === undefined || cachedPrice === undefined || output === undefined) return undefined;
  return fresh + (cached * cachedPrice) / MILLION + output;
}
