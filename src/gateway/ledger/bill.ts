import type { Usage } from '../../formats/usage.ts';
import type { FlatPrices, Prices } from '../../service/modelPrices.ts';
import { type CostKind, type CostLine, cacheSaving, costLines, missCost } from '../../tokens/price.ts';
import { sumInBillionths, toBillionths } from '../core/cost.ts';

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
