/** Determines the usage that counts for an answer, based on the usage that was reported. */
import type { Usage } from '../../formats/conversation.ts';
import { defined } from '../../formats/defined.ts';
import { withoutReportedCost } from '../../formats/reportedCost.ts';
import type { UsageCount } from '../core/upstream.ts';
import type { UsageParts, UsagePlan } from '../core/usagePlan.ts';
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
    ...defined({ model: model ?? pricedModel }),
  };
}

/**
 * Returns the reservation. Reported values replace reserved ones, but the output is never less than reserved, and
 * neither is the input if tools of the service may increase it.
 */
export function reserved(plan: UsagePlan, reported: Usage | undefined, reportedModel?: string): UsageCount {
  const { inputTokens, maxOutputTokens, parts = {}, pricedModel, mayGrow = false } = plan;
  const reportedInput = reported?.inputTokens ?? 0;
  const hasReportedInput = reportedInput > 0 && (!mayGrow || reportedInput > inputTokens);
  const known: Omit<Usage, 'outputTokens'> = hasReportedInput
    ? { ...partsOf(reportedInput, parts), ...withoutReportedCost(reported), ...outputParts(parts) }
    : { inputTokens, ...parts };
  const usage = { ...known, outputTokens: Math.max(maxOutputTokens, reported?.outputTokens ?? 0) };
  const cacheIsAssumed = known.cacheWriteTokens !== reported?.cacheWriteTokens || undefined;
  return { usage, isEstimated: true, ...defined({ model: reportedModel ?? pricedModel, cacheIsAssumed }) };
}

function outputParts({ reasoningTokens, audioOutputTokens, imageOutputTokens, webSearches }: UsageParts): UsageParts {
  return defined({ reasoningTokens, audioOutputTokens, imageOutputTokens, webSearches });
}

/** Splits the reported input into kinds, at most as many tokens of each as planned. */
function partsOf(
  inputTokens: number,
  { reasoningTokens: _, audioOutputTokens: __, imageOutputTokens: ___, webSearches: ____, ...parts }: UsageParts,
) {
  const atMost = Object.entries(parts).map(([name, count]) => [name, Math.min(count, inputTokens)]);
  return { ...Object.fromEntries(atMost), inputTokens } as Usage;
}
