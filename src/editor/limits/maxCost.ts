import type { ChatRequest } from '../../formats/conversation.ts';
import type { Prices } from '../../service/modelPrices.ts';
import { estimateInputTokens } from '../../tokens/estimate.ts';
import { inputCost, outputCost } from '../../tokens/price.ts';

/** Estimates of the input are taken to be short by this at most, as the gateway does. */
const MARGIN = 1.2;

/** The most that a request can cost, in US dollars. Nothing where a price is not known. */
export function maxCost(request: ChatRequest, prices: Prices): number {
  const input = inputCost(Math.ceil(estimateInputTokens(request) * MARGIN), prices);
  return (input ?? 0) + (outputCost(request.maxTokens ?? 0, prices) ?? 0);
}
