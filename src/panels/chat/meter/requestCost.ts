import type { EstimateView, ModelView } from '../../../pages/chat/protocol.ts';

/**
 * Returns the expected cost of the request on this model in US dollars, or undefined without prices or a token count.
 */
export function costWith(model: ModelView, estimate: EstimateView): number | undefined {
  const { inputTokens, expectedOutputTokens } = estimate;
  if (inputTokens === undefined || model.inputPrice === undefined) return undefined;
  if (expectedOutputTokens === undefined) return (inputTokens * model.inputPrice) / 1e6;
  if (model.outputPrice === undefined) return undefined;
  return (inputTokens * model.inputPrice + expectedOutputTokens * model.outputPrice) / 1e6;
}
