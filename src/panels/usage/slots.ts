import { addDays, daysBetween, startOfDay } from '../../display/day.ts';
import type { UsagePeriod } from '../../editor/usage/protocol.ts';

export function periodDays({ first, last }: UsagePeriod): string[] {
  return daysBetween(first, last);
}

/** The whole period as bounds. */
export function boundsOfPeriod({ first, last }: UsagePeriod): { readonly from: number; readonly to: number } {
  return { from: startOfDay(first), to: startOfDay(addDays(last, 1)) };
}
