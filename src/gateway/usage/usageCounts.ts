/** Determines the usage that counts for an answer, based on the usage that was reported. */
import { defined } from '../../formats/json.ts';
import type { UsageCount } from '../core/upstream.ts';
import type { UsagePlan } from '../core/usagePlan.ts';
import type { ReportedCount } from './reportedCount.ts';

export function exact({
  usage,
  model,
}: Pick<UsageCount, 'usage'> & { readonly model?: string | undefined }): UsageCount {
  return { usage, isEstimated: false, ...(model !== undefined && { model }) };
}

/**
 * What a complete usage leaves open counts as planned: the model that answered, the number of web searches, and how much
 * of the output was reasoning, if its price is higher.
 */
export function asPlanned(plan: UsagePlan, { usage, model, reportsSearches }: ReportedCount): UsageCount {
  // A reported amount includes all of it.
  if (usage.reportedCost !== undefined) return exact({ usage, model });
  const { parts = {} } = plan;
  const webSearches = reportsSearches === false ? parts.webSearches : undefined;
  const pricedModel = model === undefined ? plan.pricedModel : undefined;
  const isReasoningOpen = parts.reasoningTokens !== undefined && usage.reasoningTokens === undefined;
  const reasoningTokens = isReasoningOpen ? usage.outputTokens : undefined;
  if ([webSearches, pricedModel, reasoningTokens].every((open) => open === undefined)) return exact({ usage, model });
  return {
    usage: { ...usage, ...defined({ webSearches, reasoningTokens }) },
    isEstimated: true,
    ...(webSearches !== undefined && { bound: 'reservation' as const }),
    ...defined({ model: model ?? pricedModel }),
  };
}
