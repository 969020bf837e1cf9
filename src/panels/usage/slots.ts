import { addDays, daysBetween, formatDay, mondayOf, startOfDay } from '../../display/day.ts';
import type { UsagePeriod, UsageReport, UsageUnit } from '../../editor/usage/protocol.ts';

/** One slot on the time axis. */
export interface Slot {
  /** The report's key of the slot. */
  readonly time: string;
  /** Label on the axis, such as `17 Nov` or `09:00`. */
  readonly label: string;
  /** Milliseconds since the epoch; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
}

export function periodDays({ first, last }: UsagePeriod): string[] {
  return daysBetween(first, last);
}

/** Returns all slots of the period, including those without exchanges. */
export function slotsOf({ period, unit }: Pick<UsageReport, 'period' | 'unit'>): Slot[] {
  return timesOf(period, unit).map((time) => ({ time, label: labelOf(time, unit), ...boundsOf(time, unit, period) }));
}

function timesOf(period: UsagePeriod, unit: UsageUnit): string[] {
  const days = periodDays(period);
  if (unit === 'day') return days;
  if (unit === 'week') return [...new Set(days.map(mondayOf))];
  return Array.from({ length: 24 }, (_, hour) => `${period.first}T${String(hour).padStart(2, '0')}`);
}

function labelOf(time: string, unit: UsageUnit): string {
  return unit === 'hour' ? `${time.slice(-2)}:00` : formatDay(time);
}

/** Returns the bounds of a slot. A week at an end of the period is limited to the period. */
function boundsOf(time: string, unit: UsageUnit, { first, last }: UsagePeriod): Pick<Slot, 'from' | 'to'> {
  if (unit === 'hour') {
    const start = new Date(startOfDay(first));
    const hour = Number(time.slice(-2));
    const from = start.setHours(hour);
    return { from, to: start.setHours(hour + 1) };
  }
  const end = unit === 'week' ? addDays(time, 7) : addDays(time, 1);
  return {
    from: Math.max(startOfDay(time), startOfDay(first)),
    to: Math.min(startOfDay(end), startOfDay(addDays(last, 1))),
  };
}

/** Returns the bounds of the whole period. */
export function boundsOfPeriod({ first, last }: UsagePeriod): Pick<Slot, 'from' | 'to'> {
  return { from: startOfDay(first), to: startOfDay(addDays(last, 1)) };
}
