import type { Usage } from '../../../formats/usage.ts';
import type { Prices } from '../../../service/modelPrices.ts';
import { type CostRange, costRange } from '../../../tokens/costRange.ts';

/** In US dollars. */
export interface ReplayCost extends CostRange {
  /** The cost if nothing is read from a cache. A replay stops when it has cost so much. */
  readonly max: number;
}

/**
 * Estimates the cost of sending requests again, one after the other.
 * @param usages What the recorded requests used, the first one first.
 * @returns undefined if the model has no known price.
 */
export function replayCost(usages: readonly Usage[], prices: Prices): ReplayCost | undefined {
  const [first, ...others] = usages;
  const same = costRange(usages, prices);
  // The model's cache contains nothing of the session yet, so that the first request writes what it had read.
  const cold = costRange(first === undefined ? [] : [written(first), ...others], prices);
  const max = [usages.map(uncached), usages.map(written)].map((all) => costRange(all, prices)?.high ?? 0);
  if (same === undefined || cold === undefined) return undefined;
  const high = Math.max(same.high, cold.high);
  return { low: same.low, high, max: Math.max(high, ...max) };
}

function uncached({ cachedInputTokens: _, cacheWriteTokens: __, longCacheWriteTokens: ___, ...usage }: Usage): Usage {
  return usage;
}

function written(usage: Usage): Usage {
  const { cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
  return { ...usage, cachedInputTokens: 0, cacheWriteTokens: cacheWriteTokens + cachedInputTokens };
}
