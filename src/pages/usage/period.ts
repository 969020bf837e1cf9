import { addDays, dayOf } from '../../display/day.ts';
import type { PeriodChoice, UsagePeriod } from './protocol.ts';

/** The period that a new tab shows. */
export const FIRST_CHOICE: PeriodChoice = { kind: '30days' };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** The ledger keeps nothing older. */
const MAX_DAYS = 366;

/**
 * Returns the days of a period choice.
 * @param now In milliseconds since the epoch.
 */
export function periodOf(choice: PeriodChoice, now: number): UsagePeriod {
  const today = dayOf(now);
  switch (choice.kind) {
    case 'today':
      return { first: today, last: today };
    case '7days':
      return { first: addDays(today, -6), last: today };
    case '30days':
      return { first: addDays(today, -29), last: today };
    case 'month':
      return { first: `${today.slice(0, 8)}01`, last: today };
    case 'dates':
      return between(choice.period, today);
  }
}

/** Orders the dates and limits them to what the ledger keeps, whatever the page sends. */
function between({ first, last }: UsagePeriod, today: string): UsagePeriod {
  const oldest = addDays(today, -MAX_DAYS);
  const [from, to] = [first, last].map((day) => within(day, oldest, today)).sort();
  return { first: from ?? today, last: to ?? today };
}

function within(day: string, oldest: string, latest: string): string {
  if (!DAY.test(day) || day > latest) return latest;
  return day < oldest ? oldest : day;
}
