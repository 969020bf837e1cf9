import type { ChatRequest } from '../formats/conversation.ts';
import type { Prices } from '../service/modelPrices.ts';
import { estimateInputTokens } from '../tokens/estimate.ts';
import { inputCost, outputCost } from '../tokens/price.ts';

/** The assumed maximum ratio of actual to estimated input tokens, the same as in the gateway. */
const MARGIN = 1.2;

/** The maximum cost of a request in US dollars. Tokens without a known price count as 0. */
export function maxCost(request: ChatRequest, prices: Prices): number {
  const inputTokens = Math.ceil(estimateInputTokens(request) * MARGIN);
  return (inputCost(inputTokens, prices) ?? 0) + (outputCost(request.maxTokens ?? 0, prices, inputTokens) ?? 0);
}
