import type { Usage } from '../../formats/usage.ts';
import type { ExchangeRow } from '../../ledger/exchangeQuery.ts';
import { isAvoidable } from '../../rules/cacheMiss.ts';
import { billedUsages } from '../../rules/exchange.ts';
import type { Model } from '../../service/modelCatalog.ts';
import { costRange } from '../../tokens/costRange.ts';
import { priceOf } from '../../tokens/price.ts';
import type { SessionFigures, SessionMisses, SessionTurn, WhatIf } from './protocol.ts';

/** Amounts are added as whole billionths of a dollar, so that sums match the ledger exactly. */
const BILLIONTHS = 1e9;

/**
 * The turns of a session, the oldest first.
 * @param rows All its requests, in any order.
 */
export function sessionTurns(rows: readonly ExchangeRow[]): readonly SessionTurn[] {
  return turnsOf(rows).map((ofTurn, index) => {
    const last = ofTurn.findLast((row) => isMain(row) && row.usage !== undefined);
    return {
      ...figuresOf(ofTurn),
      number: index + 1,
      from: ofTurn[0]?.at ?? 0,
      to: Math.max(...ofTurn.map(({ at, durationMs }) => at + durationMs)),
      context: last?.usage?.inputTokens ?? 0,
      misses: ofTurn.flatMap(({ cacheMiss }) =>
        cacheMiss !== undefined && isAvoidable(cacheMiss.reason) ? [cacheMiss.reason] : [],
      ),
    };
  });
}

export function figuresOf(rows: readonly ExchangeRow[]): SessionFigures {
  const usages = rows.flatMap(billedUsages);
  const tokens = (count: (usage: NonNullable<ExchangeRow['usage']>) => number | undefined) =>
    usages.reduce((sum, usage) => sum + (count(usage) ?? 0), 0);
  const [read, written] = [tokens((usage) => usage.cachedInputTokens), tokens((usage) => usage.cacheWriteTokens)];
  return {
    requests: rows.length,
    uncached: tokens((usage) => usage.inputTokens) - read - written,
    read,
    written,
    longWritten: tokens((usage) => usage.longCacheWriteTokens),
    output: tokens((usage) => usage.outputTokens),
    cost: dollars(rows.map(({ cost }) => cost)),
    toolMs: rows.reduce((sum, { toolMs = 0 }) => sum + toolMs, 0),
    subagentCost: dollars(rows.filter((row) => !isMain(row)).map(({ cost }) => cost)),
    saved: dollars(rows.map(({ cacheSaving }) => cacheSaving)),
    avoidable: dollars(rows.map(avoidableOf)),
  };
}

/** Whether a request used tokens of unknown price, in its answer or in a failed attempt. */
export function isUnpriced({ usage, cost, bill, attempts = [] }: ExchangeRow): boolean {
  const billed = attempts.filter((attempt) => attempt.usage !== undefined);
  if (billed.some((attempt) => attempt.cost === undefined)) return true;
  // The cost of a request with such attempts is known even if only they have a price.
  const isOwnKnown = billed.length === 0 ? cost !== undefined : bill !== undefined;
  return usage !== undefined && !isOwnKnown;
}

/**
 * Avoidable misses by reason, the most expensive first.
 * @param names the names of what changed, by the IDs of the requests.
 */
export function sessionMisses(
  rows: readonly ExchangeRow[],
  names: ReadonlyMap<string, string> = new Map(),
): readonly SessionMisses[] {
  const turns = turnsOf(rows);
  const missed = rows.flatMap((row) =>
    row.cacheMiss !== undefined && isAvoidable(row.cacheMiss.reason) ? [{ row, ...row.cacheMiss }] : [],
  );
  return [...Map.groupBy(missed, ({ reason }) => reason)]
    .map(([reason, misses]) => ({
      reason,
      turns: turns.flatMap((ofTurn, index) => (misses.some(({ row }) => ofTurn.includes(row)) ? [index + 1] : [])),
      changed: [...new Set(misses.flatMap(({ row }) => names.get(row.id) ?? []))],
      count: misses.length,
      tokens: misses.reduce((sum, { missedTokens }) => sum + missedTokens, 0),
      cost: dollars(misses.map(({ cost }) => cost)),
    }))
    .sort((a, b) => b.cost - a.cost);
}

/** The kinds of subagents that the client names, by their start. */
export function agentTypes(rows: readonly ExchangeRow[]): readonly string[] {
  const ordered = rows.filter((row) => !isMain(row)).toSorted((a, b) => a.at - b.at);
  return [...new Set(ordered.flatMap(({ agentType }) => agentType ?? []))];
}

/** Whether a request belongs to the main agent. */
export function isMain({ agentId }: Pick<ExchangeRow, 'agentId'>): boolean {
  return agentId === undefined;
}

/**
 * Groups the requests by turn, in order. Subagents have turns of their own, but their requests are assigned to the main
 * agent's turn in which they started.
 */
function turnsOf(rows: readonly ExchangeRow[]): ExchangeRow[][] {
  const ordered = rows.toSorted((a, b) => a.at - b.at || a.number - b.number);
  const main = ordered.filter(isMain);
  const own = [...Map.groupBy(main.length === 0 ? ordered : main, ({ turnId, id }) => turnId ?? id).values()];
  if (main.length === 0) return own;
  for (const row of ordered) {
    if (isMain(row)) continue;
    const started = own.findLast(([first]) => first !== undefined && first.at <= row.at) ?? own[0];
    started?.push(row);
  }
  return own.map((turn) => turn.sort((a, b) => a.at - b.at || a.number - b.number));
}

/** In US dollars. */
function avoidableOf({ cacheMiss }: ExchangeRow): number | undefined {
  return cacheMiss !== undefined && isAvoidable(cacheMiss.reason) ? cacheMiss.cost : undefined;
}

function dollars(amounts: readonly (number | undefined)[]): number {
  return amounts.reduce<number>((sum, usd = 0) => sum + Math.round(usd * BILLIONTHS), 0) / BILLIONTHS;
}

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
