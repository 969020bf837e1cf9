/** What keys have spent, for lists of them: read from the ledger, by whichever process asks. */

import { toDollars } from '../core/cost.ts';
import type { BudgetPeriod } from '../core/period.ts';
import { periodStart } from '../core/period.ts';
import type { LedgerReader } from './ledgerReader.ts';

export interface SpendQuestion {
  /** The path of the ledger. */
  readonly ledger: string;
  /** With the periods to sum up. */
  readonly keys: readonly { readonly id: string; readonly periods: readonly BudgetPeriod[] }[];
}

export interface SpentAmount {
  /** US dollars, of the exchanges whose price is known. */
  readonly cost: number;
  /** Input and output together. */
  readonly tokens: number;
  /** How many of the exchanges have an estimate of their usage. */
  readonly estimated: number;
}

export interface KeySpend {
  readonly id: string;
  /** In the periods that it is now. */
  readonly spent: Readonly<Partial<Record<BudgetPeriod, SpentAmount>>>;
  /** When it was last used, in whatever period, in milliseconds since the epoch; absent when it never was. */
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
    const spent = periods.map((period) => [period, amountSince(reader, id, periodStart(period, now))] as const);
    return { id, spent: Object.fromEntries(spent), ...(lastUsedAt !== undefined && { lastUsedAt }) };
  });
}

function amountSince(reader: LedgerReader, id: string, since: number): SpentAmount {
  const { cost, inputTokens, outputTokens } = reader.spentBy(id, since);
  return { cost: toDollars(cost), tokens: inputTokens + outputTokens, estimated: reader.estimatesOf(id, since) };
}
