/** The spending of keys, for lists of keys. Any process can read it from the ledger. */

import { type BudgetPeriod, nextPeriod, periodStart } from '../rules/period.ts';
import { toDollars } from './cost.ts';
import type { LedgerReader } from './ledgerReader.ts';

export interface SpendQuestion {
  /** Path of the ledger's file. */
  readonly ledger: string;
  /** With the periods to sum up. */
  readonly keys: readonly { readonly id: string; readonly periods: readonly BudgetPeriod[] }[];
}

export interface SpentAmount {
  /** US dollars, for exchanges with a known price. Budgets also count sample money. */
  readonly cost: number;
  /** US dollars: the part of `cost` that is sample money. Only known for the total; undefined if there is none. */
  readonly sample?: number;
  /** Input plus output. */
  readonly tokens: number;
  /** Number of exchanges whose usage is estimated. */
  readonly estimated: number;
  /** US dollars: the part of `cost` for usage that no upstream reported. Undefined if there is none. */
  readonly unconfirmed?: number;
}

export interface KeySpend {
  readonly id: string;
  /** In the current period of each kind. */
  readonly spent: Readonly<Partial<Record<BudgetPeriod, SpentAmount>>>;
  /** When the key was last used, in milliseconds since the epoch. Undefined if it was never used. */
  readonly lastUsedAt?: number;
}

/** @throws {LedgerError} */
export function readKeySpend(
  reader: LedgerReader,
  { keys }: Pick<SpendQuestion, 'keys'>,
  now = Date.now(),
): KeySpend[] {
  return keys.map(({ id, periods }) => {
    const lastUsedAt = reader.lastUseOf(id);
    const spent = periods.map((period) => [period, amountIn(reader, id, period, now)] as const);
    return { id, spent: Object.fromEntries(spent), ...(lastUsedAt !== undefined && { lastUsedAt }) };
  });
}

function amountIn(reader: LedgerReader, id: string, period: BudgetPeriod, now: number): SpentAmount {
  const since = periodStart(period, now);
  const { cost, inputTokens, outputTokens } = reader.spentBy(id, since, nextPeriod(period, now));
  const { estimated, unconfirmed } = reader.uncertainOf(id, since);
  const sample = period === 'total' ? reader.sampleOf(id) : 0;
  return {
    cost: toDollars(cost),
    tokens: inputTokens + outputTokens,
    estimated,
    ...(sample > 0 && { sample: toDollars(sample) }),
    ...(unconfirmed > 0 && { unconfirmed: toDollars(unconfirmed) }),
  };
}
