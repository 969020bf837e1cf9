/** Sums over the rows of requests, for what the daily sums do not have: sessions, branches, and caches. */
import { addDays, startOfDay } from '../display/day.ts';
import { AVOIDABLE_REASONS } from '../rules/cacheMiss.ts';
import { toDollars } from './cost.ts';
import { UNPRICED } from './schema.ts';
import type { BranchCost } from './sessionUsage.ts';
import type { UsageScope } from './usage.ts';

/** SQL condition for rows with an avoidable cache miss. */
export const IS_AVOIDABLE = `cache_miss_reason IN (${AVOIDABLE_REASONS.map((reason) => `'${reason}'`).join(', ')})`;

/** Includes what failed attempts were billed for, as the cost does. */
export const REQUEST_SUMS = `
  min(at) AS at, count(*) AS exchanges, count(*) FILTER (WHERE ${UNPRICED}) AS unpriced,
  total(usage_is_estimated) AS estimated, total(unconfirmed_cost) AS unconfirmed,
  total(input_tokens) + total(attempts_input_tokens) AS input_tokens,
  total(output_tokens) + total(attempts_output_tokens) AS output_tokens,
  total(cost) AS cost, total(cache_saving) AS cache_saving`;

export function requestSumsOf(row: Readonly<Record<string, unknown>>): BranchCost {
  const unconfirmed = toDollars(Number(row.unconfirmed));
  return {
    at: Number(row.at),
    exchanges: Number(row.exchanges),
    unpriced: Number(row.unpriced),
    estimated: Number(row.estimated),
    ...(unconfirmed > 0 && { unconfirmed }),
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    cost: toDollars(Number(row.cost)),
    cacheSaving: toDollars(Number(row.cache_saving)),
  };
}

/** Returns the condition for the rows of a scope, and the values of its question marks. */
export function inScope({ period: { first, last }, ofSandbox }: UsageScope) {
  return {
    condition: `at >= ? AND at < ? AND ${isOf(ofSandbox)}`,
    range: [startOfDay(first), startOfDay(addDays(last, 1))],
  };
}

/** Sample money is never added to real money. */
export function isOf(ofSandbox: boolean): string {
  return `coalesce(upstream, '') ${ofSandbox ? '=' : '<>'} 'sandbox'`;
}
