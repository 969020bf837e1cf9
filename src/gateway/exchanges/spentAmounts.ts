import type { Usage } from '../../formats/usage.ts';
import { toBillionths } from '../../ledger/cost.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';

/** The billed usage of one answer or one attempt. */
export interface SpentAmount {
  readonly upstream: string | undefined;
  readonly usage: Usage;
  /** Billionths of a US dollar. Undefined if no price is known. */
  readonly cost?: number;
}

/**
 * Returns all billed usage of an exchange.
 * @param cost of its answer, in billionths of a US dollar.
 */
export function spentAmounts(record: ExchangeRecord, cost: number | undefined): readonly SpentAmount[] {
  const { upstream, usage, attempts } = record;
  const amounts = usage === undefined ? [] : [amountOf(upstream, usage, cost)];
  for (const attempt of attempts ?? []) {
    const ofAttempt = attempt.cost === undefined ? undefined : toBillionths(attempt.cost);
    if (attempt.usage !== undefined) amounts.push(amountOf(attempt.upstream, attempt.usage, ofAttempt));
  }
  return amounts;
}

function amountOf(upstream: string | undefined, usage: Usage, cost: number | undefined): SpentAmount {
  return cost === undefined ? { upstream, usage } : { upstream, usage, cost };
}

/** Returns the sum of the known costs, or `undefined` if none is known. */
export function knownCost(amounts: readonly { readonly cost?: number | undefined }[]): number | undefined {
  let sum: number | undefined;
  for (const { cost } of amounts) if (cost !== undefined) sum = (sum ?? 0) + cost;
  return sum;
}
