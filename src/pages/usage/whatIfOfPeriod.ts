import type { UsageReport } from '../../ledger/usage.ts';
import type { Model } from '../../service/modelCatalog.ts';
import { costRange } from '../../tokens/costRange.ts';
import type { ModelRange } from './protocol.ts';

const MAX_MODELS = 4;

/**
 * Returns what all requests of the period would have cost on one of the models, the most expensive first. Models that were
 * used in the period come before others. If only one was used, it is omitted.
 */
export function whatIfOfPeriod({ models: used }: UsageReport, models: readonly Model[]): readonly ModelRange[] {
  const usages = used.filter(({ inputTokens, outputTokens }) => inputTokens + outputTokens > 0);
  const names = new Set(usages.map(({ name }) => name));
  if (usages.length === 0) return [];
  return models
    .filter(({ id }) => names.size > 1 || !names.has(id))
    .toSorted((a, b) => Number(names.has(b.id)) - Number(names.has(a.id)))
    .flatMap((model) => {
      const range = costRange(usages, model);
      return range === undefined ? [] : [{ model: model.id, ...range }];
    })
    .slice(0, MAX_MODELS)
    .sort((a, b) => b.high - a.high);
}
