import type { Usage } from '../../formats/conversation.ts';
import type { ExchangeRow } from '../../gateway/ledger/exchangeQuery.ts';
import type { Model } from '../../service/modelCatalog.ts';
import { priceOf } from '../../tokens/price.ts';
import type { WhatIf } from './protocol.ts';
import { isMain } from './sessionReport.ts';

/**
 * Another tokenizer may count up to this share more or less for the same text, and another model may answer with a
 * different length.
 */
const TOKENIZER = 0.1;
const ANSWER = 0.3;
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
  const low = totalOf(model, usages, -1);
  const high = totalOf(model, usages, 1);
  const context = usages.at(-1)?.inputTokens ?? 0;
  const switchCost = priceOf({ inputTokens: context, outputTokens: 0, cacheWriteTokens: context }, model);
  if (low === undefined || high === undefined || switchCost === undefined) return undefined;
  const largest = Math.max(...usages.map(({ inputTokens }) => inputTokens));
  const { contextWindow } = model;
  return {
    model: model.id,
    low: low + others,
    high: high + others,
    switchCost,
    ...(contextWindow !== undefined && contextWindow < largest && { tooSmall: contextWindow }),
  };
}

/** Returns undefined if the model has no known price. */
function totalOf(model: Model, usages: readonly Usage[], sign: 1 | -1): number | undefined {
  return usages.reduce<number | undefined>((sum, usage) => {
    const cost = priceOf(scaled(usage, 1 + sign * TOKENIZER, 1 + sign * ANSWER), model);
    return sum === undefined || cost === undefined ? undefined : sum + cost;
  }, 0);
}

/** Searches are not tokens, so their number is not scaled. */
function scaled(usage: Usage, ofInput: number, ofOutput: number): Usage {
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0, longCacheWriteTokens = 0 } = usage;
  return {
    inputTokens: inputTokens * ofInput,
    outputTokens: outputTokens * ofOutput,
    cachedInputTokens: cachedInputTokens * ofInput,
    cacheWriteTokens: cacheWriteTokens * ofInput,
    longCacheWriteTokens: longCacheWriteTokens * ofInput,
    ...(usage.webSearches !== undefined && { webSearches: usage.webSearches }),
  };
}
