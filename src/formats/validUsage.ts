import type { Usage } from './conversation.ts';
import { isCost } from './reportedCost.ts';

/** Larger counts are errors. */
const MAX_TOKENS = 1e10;

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_TOKENS;
}

/** Returns only the numbers of tokens and the amounts that are valid, or `undefined` if the total input or output is invalid. */
export function validUsage({ reportedCost, ...usage }: Usage): Usage | undefined {
  if (!isCount(usage.inputTokens) || !isCount(usage.outputTokens)) return undefined;
  const counts = Object.entries(usage).filter(([, count]) => isCount(count));
  const cost = isCost(reportedCost) ? { reportedCost } : {};
  return {
    ...cost,
    ...Object.fromEntries(counts),
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
  };
}
