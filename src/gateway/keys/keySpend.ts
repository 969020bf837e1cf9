/** What keys have spent, for lists of them: read from the ledger, by whichever process asks. */
import { toDollars } from '../ledger/cost.ts';
import { LedgerReader } from '../ledger/ledgerReader.ts';
import type { Budget } from './issuedKey.ts';
import { periodStart } from './period.ts';

export interface SpendQuestion {
  /** The path of the ledger. */
  readonly ledger: string;
  readonly keys: readonly { readonly id: string; readonly period: Budget['period'] }[];
}

/** In the period that it is now. */
export interface KeySpend {
  readonly id: string;
  /** US dollars, of the exchanges whose price is known. */
  readonly cost: number;
  /** Input and output together. */
  readonly tokens: number;
  /** When it was last used, in whatever period, in milliseconds since the epoch; absent when it never was. */
  readonly lastUsedAt?: number;
}

/** @throws {LedgerError} */
export function readKeySpend({ ledger, keys }: SpendQuestion, now = Date.now()): KeySpend[] {
  const reader = new LedgerReader(ledger);
  try {
    return keys.map(({ id, period }) => {
      const { cost, inputTokens, outputTokens } = reader.spentBy(id, periodStart(period, now));
      const lastUsedAt = reader.lastUseOf(id);
      return {
        id,
        cost: toDollars(cost),
        tokens: inputTokens + outputTokens,
        ...(lastUsedAt !== undefined && { lastUsedAt }),
      };
    });
  } finally {
    reader.close();
  }
}
