/**
 * Money in the ledger and in budgets is counted in whole billionths of a US dollar, so that sums are exact. A price of
 * $3.00 per million tokens is 3,000 billionths per token.
 */
import type { Usage } from '../formats/usage.ts';
import type { FlatPrices, Prices } from '../service/modelPrices.ts';
import { type CostKind, type CostLine, cacheSaving, costLines, missCost, sumOf } from '../tokens/price.ts';

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
function sumInBillionths(lines: readonly CostLine[]): number | undefined {
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

export interface Spent {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Billionths of a US dollar. */
  readonly cost: number;
}

/** What an answer costs by its usage, line by line. */
export interface Bill {
  /** Cost of the answer, in billionths of a US dollar. */
  readonly cost: number;
  /** Whether it has nothing but input and output at listed prices. */
  readonly isPlain: boolean;
  readonly saving: number | null;
  /** The kinds of cost whose price is assumed, because the catalog has none. */
  readonly assumed: string | null;
  /** Returns the price of a kind that was used, in the unit of its column. */
  readonly priceOf: (kind: CostKind) => number | null;
}

/** @returns undefined if a price of the usage is not known. */
export function billOf(prices: FlatPrices, usage: Usage): Bill | undefined {
  const lines = costLines(usage, prices);
  const cost = lines && sumInBillionths(lines);
  if (lines === undefined || cost === undefined) return undefined;
  const priceOf = (kind: CostKind) => lines.find((line) => line.kind === kind)?.price ?? null;
  if (isPlain(lines)) return { cost, isPlain: true, saving: null, assumed: null, priceOf };
  const saving = cacheSaving(lines, prices.inputPrice ?? 0);
  const assumed = lines.filter(({ isAssumed }) => isAssumed).map(({ kind }) => kind);
  return {
    cost,
    isPlain: false,
    saving: saving === undefined ? null : toBillionths(saving),
    assumed: assumed.length === 0 ? null : assumed.join(','),
    priceOf,
  };
}

function isPlain(lines: readonly CostLine[]): boolean {
  for (const { kind, isAssumed } of lines) if (isAssumed || (kind !== 'input' && kind !== 'output')) return false;
  return true;
}

/** What a cache would have saved for tokens that it missed, in billionths of a US dollar. NULL if that is not known. */
export function missCostOf(
  missedTokens: number | undefined,
  usage: Usage | undefined,
  prices: Prices | undefined,
): number | null {
  if (missedTokens === undefined || usage === undefined || prices === undefined) return null;
  const cost = missCost(missedTokens, usage, prices);
  return cost === undefined ? null : toBillionths(cost);
}
