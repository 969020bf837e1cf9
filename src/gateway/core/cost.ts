/**
 * Money in the ledger and in budgets is counted in whole billionths of a US dollar, so that sums are exact: a price of
 * $3.00 for a million tokens is 3,000 of them for each token.
 */
import type { Usage } from '../../formats/conversation.ts';
import type { Prices } from '../../service/modelPrices.ts';
import { priceOf } from '../../tokens/price.ts';

const BILLIONTHS_PER_DOLLAR = 1e9;

/** @returns undefined when a price is missing for tokens that were used. */
export function costInBillionths(usage: Usage, prices: Prices): number | undefined {
  const dollars = priceOf(usage, prices);
  const cost = dollars === undefined ? undefined : toBillionths(dollars);
  return cost !== undefined && Number.isSafeInteger(cost) ? cost : undefined;
}

/** Rounded: binary fractions of a dollar are a hair off. */
export function toBillionths(dollars: number): number {
  return Math.round(dollars * BILLIONTHS_PER_DOLLAR);
}

export function toDollars(billionths: number): number {
  return billionths / BILLIONTHS_PER_DOLLAR;
}

/** What a budget counts. */
export interface Spent {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Billionths of a US dollar. */
  readonly cost: number;
}
