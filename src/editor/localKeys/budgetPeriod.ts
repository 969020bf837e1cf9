import { dayOf } from '../../display/day.ts';
import type { BudgetPeriod } from '../../gateway/core/period.ts';

/** Tells one day or month of the machine's time zone from the others. @param now milliseconds since the epoch. */
export function periodName(period: BudgetPeriod, now: number): string {
  switch (period) {
    case 'total':
      return period;
    case 'daily':
      return dayOf(now);
    case 'monthly':
      return dayOf(now).slice(0, 'YYYY-MM'.length);
  }
}
