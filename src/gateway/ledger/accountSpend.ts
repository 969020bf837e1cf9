import type { DatabaseSync } from 'node:sqlite';
import { dayOf } from '../../display/day.ts';
import { toDollars } from '../core/cost.ts';
import { periodStart } from '../core/period.ts';
import { costsByUpstream } from './summary.ts';

export interface AccountQuestion {
  /** The path of the ledger. */
  readonly ledger: string;
  /** The id of the upstream that draws on the account. */
  readonly upstream: string;
}

/** In the present day and month of the machine's time zone, in US dollars, of the exchanges whose price is known. */
export interface AccountSpend {
  readonly daily: number;
  readonly monthly: number;
}

/** Kept sums of days, and the rows behind them: quick however much there is. A day of the machine's time zone. */
const SPENT = `
  SELECT
    (SELECT total(cost) FROM daily WHERE upstream = :upstream AND day >= :day) +
    (SELECT total(cost) FROM (${costsByUpstream('number > (SELECT up_to FROM summarised)')})
      WHERE upstream = :upstream AND day >= :day) AS cost`;

/** What an upstream's account has paid from this day on, whoever asked, in billionths of a US dollar. */
export function spentSince(database: DatabaseSync, upstream: string, day: string): number {
  return Number(database.prepare(SPENT).get({ upstream, day })?.cost);
}

/** @param reader of the ledger, such as `LedgerReader`. */
export function accountSpend(
  reader: { spentSince(upstream: string, day: string): number },
  { upstream }: AccountQuestion,
  now = Date.now(),
): AccountSpend {
  const spent = (period: keyof AccountSpend) => toDollars(reader.spentSince(upstream, dayOf(periodStart(period, now))));
  return { daily: spent('daily'), monthly: spent('monthly') };
}
