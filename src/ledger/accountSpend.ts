import type { DatabaseSync } from 'node:sqlite';
import { dayOf } from '../display/day.ts';
import { periodStart } from '../rules/period.ts';
import { toDollars } from './cost.ts';
import { costsByUpstream } from './summary.ts';

export interface AccountQuestion {
  /** Path of the ledger's file. */
  readonly ledger: string;
  /** ID of the upstream that charges the account. */
  readonly upstream: string;
}

/** Cost of the exchanges with a known price, in US dollars, in the current day and month of the machine's time zone. */
export interface AccountSpend {
  readonly daily: number;
  readonly monthly: number;
}

/**
 * Stored daily sums plus the rows that are not in them yet, so the number of exchanges hardly matters. `day` is in the
 * machine's time zone.
 */
const SPENT = `
  SELECT
    (SELECT total(cost) FROM daily WHERE upstream = :upstream AND day >= :day) +
    (SELECT total(cost) FROM (${costsByUpstream('number > (SELECT up_to FROM summarised)')})
      WHERE upstream = :upstream AND day >= :day) AS cost`;

/**
 * Returns the cost charged to an upstream's account since the start of this day, for all callers, in billionths of a US
 * dollar.
 */
export function spentSince(database: DatabaseSync, upstream: string, day: string): number {
  return Number(database.prepare(SPENT).get({ upstream, day })?.cost);
}

/** @param reader reads the ledger, such as a `LedgerReader`. */
export function accountSpend(
  reader: { spentSince(upstream: string, day: string): number },
  { upstream }: AccountQuestion,
  now = Date.now(),
): AccountSpend {
  const spent = (period: keyof AccountSpend) => toDollars(reader.spentSince(upstream, dayOf(periodStart(period, now))));
  return { daily: spent('daily'), monthly: spent('monthly') };
}
