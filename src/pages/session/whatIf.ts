import type { Usage } from '../../formats/usage.ts';
import type { ExchangeRow } from '../../ledger/exchangeQuery.ts';
import type { Model } from '../../service/modelCatalog.ts';
import { costRange } from '../../tokens/costRange.ts';
import { priceOf } from '../../tokens/price.ts';
import type { WhatIf } from './protocol.ts';
import { isMain } from './sessionReport.ts';

const MAX_MODELS = 4;

/**
 * Computes the cost of a session on other models as a range: the main agent's tokens at other prices, and the actual
 * cost of subagents.
 * @param rows All requests of the session.
 * @param models The candidates, the preferred ones first.
 * @returns the most expensive first.
 */
export function whatIf(rows: readonly ExchangeRow[], models: readonly Model[]): readonly WhatIf[] {
  const own = new Set(rows.filter(isMain).map(({ model }) => model));
  const usages = rows.filter(isMain).flatMap(({ usage }) => (usage === undefined ? [] : [usage]));
  const others = rows.filter((row) => !isMain(row)).reduce((sum, { cost = 0 }) => sum + cost, 0);
  if (usages.length === 0) return [];
  return models
    .filter(({ id }) => !own.has(id))
    .flatMap((model) => onModel(model, usages, others) ?? [])
    .slice(0, MAX_MODELS)
    .sort((a, b) => b.high - a.high);
}

function onModel(model: Model, usages: readonly Usage[], others: number): WhatIf | undefined {
  const range = costRange(usages, model);
  const context = usages.at(-1)?.inputTokens ?? 0;
  const switchCost = priceOf({ inputTokens: context, outputTokens: 0, cacheWriteTokens: context }, model);
  if (range === undefined || switchCost === undefined) return undefined;
  const largest = Math.max(...usages.map(({ inputTokens }) => inputTokens));
  const { contextWindow } = model;
  return {
    model: model.id,
    low: range.low + others,
    high: range.high + others,
    switchCost,
    ...(contextWindow !== undefined && contextWindow < largest && { tooSmall: contextWindow }),
  };
}
