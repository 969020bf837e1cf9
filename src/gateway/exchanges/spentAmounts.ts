import type { Usage } from '../../formats/conversation.ts';
import { toBillionths } from '../core/cost.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';

/** What one answer, or one attempt at it, was billed for. */
export interface SpentAmount {
  readonly upstream: string | undefined;
  readonly usage: Usage;
  /** Billionths of a US dollar; absent where no price is known. */
  readonly cost?: number;
}

/** All that an exchange is billed for. @param cost of its answer, in billionths of a US dollar. */
export function spentAmounts(record: ExchangeRecord, cost: number | undefined): readonly SpentAmount[] {
  const { upstream, usage, attempts = [] } = record;
  return [{ upstream, usage, cost }, ...attempts.map(ofAttempt)].flatMap((each) =>
    each.usage === undefined
      ? []
      : [{ upstream: each.upstream, usage: each.usage, ...(each.cost !== undefined && { cost: each.cost }) }],
  );
}

/** The sum of what is known; `undefined` where nothing is. */
export function knownCost(amounts: readonly { readonly cost?: number | undefined }[]): number | undefined {
  const costs = amounts.map(({ cost }) => cost).filter((cost) => cost !== undefined);
  return costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0);
}

function ofAttempt({ upstream, usage, cost }: NonNullable<ExchangeRecord['attempts']>[number]) {
  return { upstream, usage, cost: cost === undefined ? undefined : toBillionths(cost) };
}
