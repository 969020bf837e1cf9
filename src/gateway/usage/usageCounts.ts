/** What counts as used by an answer, from what was told of it. */
import type { Usage } from '../../formats/conversation.ts';
import { defined } from '../../formats/defined.ts';
import type { UsageCount } from '../core/upstream.ts';
import type { UsageParts, UsagePlan } from '../core/usagePlan.ts';
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
  const toldInput = told?.inputTokens ?? 0;
  const isToldInput = toldInput > 0 && (!mayGrow || toldInput > inputTokens);
  const known: Omit<Usage, 'outputTokens'> = isToldInput
    ? { ...partsOf(toldInput, parts), ...told, ...outputParts(parts) }
    : { inputTokens, ...parts };
  const usage = { ...known, outputTokens: Math.max(maxOutputTokens, told?.outputTokens ?? 0) };
  const cacheIsAssumed = known.cacheWriteTokens !== told?.cacheWriteTokens || undefined;
  return { usage, isEstimated: true, ...defined({ model: toldModel ?? pricedModel, cacheIsAssumed }) };
}

function outputParts({ audioOutputTokens, imageOutputTokens, webSearches }: UsageParts): UsageParts {
  return defined({ audioOutputTokens, imageOutputTokens, webSearches });
}

/** Of what kinds an input may be of which only the sum is told. */
function partsOf(
  inputTokens: number,
  { audioOutputTokens: _, imageOutputTokens: __, webSearches: ___, ...parts }: UsageParts,
) {
  const atMost = Object.entries(parts).map(([name, count]) => [name, Math.min(count, inputTokens)]);
  return { ...Object.fromEntries(atMost), inputTokens } as Usage;
}

/** Without what no number of tokens is; `undefined` where that is all of the input or of the output. */
export function validUsage(usage: Usage): Usage | undefined {
  if (!isCount(usage.inputTokens) || !isCount(usage.outputTokens)) return undefined;
  const counts = Object.entries(usage).filter(([, count]) => isCount(count));
  return { ...Object.fromEntries(counts), inputTokens: usage.inputTokens, outputTokens: usage.outputTokens };
}
