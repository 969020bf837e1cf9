/**
 * Money in the ledger and in budgets is counted in whole billionths of a US dollar, so that sums are exact. A price of
 * $3.00 per million tokens is 3,000 billionths per token.
 */
import type { Usage } from '../../formats/usage.ts';
import type { Prices } from '../../service/modelPrices.ts';
import { type CostLine, costLines, sumOf } from '../../tokens/price.ts';

const BILLIONTHS_PER_DOLLAR = 1e9;

/**
 * Returns the amount that the upstream has reported, or else the cost at these prices.
 * @returns undefined if a price is missing for tokens that were used.
 */
export function costInBillionths(usage: Usage, prices: Prices = {}): number | undefined {
  if (usage.reportedCost !== undefined) return toBillionths(usage.reportedCost);
  const lines = costLines(usage, prices);
  return lines && sumInBillionths(lines);
}

/** @returns undefined if the sum is too large to be exact. */
export function sumInBillionths(lines: readonly CostLine[]): number | undefined {
  const cost = toBillionths(sumOf(lines));
  return Number.isSafeInteger(cost) ? cost : undefined;
}

/** Rounds, because dollars as binary fractions are not exact. */
export function toBillionths(dollars: number): number {
  return Math.round(dollars * BILLIONTHS_PER_DOLLAR);
}

export function toDollars(billionths: number): number {
  return billionths / BILLIONTHS_PER_DOLLAR;
}

/** The amounts that count toward a budget. */
export interface Spent {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Billionths of a US dollar. */
  readonly cost: number;
}
