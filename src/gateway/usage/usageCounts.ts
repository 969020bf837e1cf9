/** What counts as used by an answer, from what was told of it. */
import type { Usage } from '../../formats/conversation.ts';
import { defined } from '../../formats/defined.ts';
import type { UsageCount } from '../core/upstream.ts';
import type { UsagePlan } from '../core/usagePlan.ts';
import { isCount } from './usageReader.ts';

export function exact({
  usage,
  model,
}: Pick<UsageCount, 'usage'> & { readonly model?: string | undefined }): UsageCount {
  return { usage, isEstimated: false, ...(model !== undefined && { model }) };
}

/** Nothing that was told is doubted but how much was written, and read where tools of the service read more. */
export function reserved(plan: UsagePlan, told: Usage | undefined, toldModel?: string): UsageCount {
  const { inputTokens, maxOutputTokens, parts = {}, pricedModel, mayGrow = false } = plan;
  const { audioOutputTokens, imageOutputTokens, webSearches } = parts;
  const ofOutput = defined({ audioOutputTokens, imageOutputTokens, webSearches });
  const toldInput = told?.inputTokens ?? 0;
  const isToldInput = toldInput > 0 && (!mayGrow || toldInput > inputTokens);
  const known = isToldInput ? { ...told, inputTokens: toldInput, ...ofOutput } : { inputTokens, ...parts };
  const usage = { ...known, outputTokens: Math.max(maxOutputTokens, told?.outputTokens ?? 0) };
  return { usage, isEstimated: true, ...defined({ model: toldModel ?? pricedModel }) };
}

/** Without what no number of tokens is; `undefined` where that is all of the input or of the output. */
export function validUsage(usage: Usage): Usage | undefined {
  if (!isCount(usage.inputTokens) || !isCount(usage.outputTokens)) return undefined;
  const counts = Object.entries(usage).filter(([, count]) => isCount(count));
  return { ...Object.fromEntries(counts), inputTokens: usage.inputTokens, outputTokens: usage.outputTokens };
}
