import { addDays, dayOf } from '../../display/day.ts';
import type { PeriodChoice, UsagePeriod } from './protocol.ts';

/** The first choice of a new tab. */
export const FIRST_CHOICE: PeriodChoice = { kind: '30days' };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Nothing older is in the ledger. */
const MAX_DAYS = 366;

/** The days that a choice stands for. @param now milliseconds since the epoch. */
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

/** Dates in their order and within what the ledger keeps, whatever a page sends. */
function between({ first, last }: UsagePeriod, today: string): UsagePeriod {
  const oldest = addDays(today, -MAX_DAYS);
  const [from, to] = [first, last].map((day) => within(day, oldest, today)).sort();
  return { first: from ?? today, last: to ?? today };
}

function within(day: string, oldest: string, latest: string): string {
  if (!DAY.test(day) || day > latest) return latest;
  return day < oldest ? oldest : day;
}
