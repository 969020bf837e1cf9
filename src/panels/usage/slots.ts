import { addDays, daysBetween, formatDay, mondayOf, startOfDay } from '../../display/day.ts';
import type { UsagePeriod, UsageReport, UsageUnit } from '../../pages/usage/protocol.ts';
import type { ChartSeries } from './series.ts';

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

/** The cost of a bar or of a part of it, and how many of its requests have estimated tokens. */
export interface StackedCost {
  readonly cost: number;
  readonly estimated: number;
}

/** One bar: the cost of each series, in order. */
export interface Stack {
  readonly slot: Slot;
  readonly parts: readonly StackedCost[];
  readonly total: StackedCost;
  readonly exchanges: number;
}

const NOTHING: StackedCost = { cost: 0, estimated: 0 };

/** Returns a bar for each slot of the period, including those without spending. */
export function stacksOf(report: UsageReport, series: readonly ChartSeries[]): Stack[] {
  const places = new Map(series.map(({ model }, place) => [model, place]));
  const others = places.get(undefined);
  const bySlot = Map.groupBy(report.spends, ({ time }) => time);
  return slotsOf(report).map((slot) => {
    const parts = series.map(() => NOTHING);
    let exchanges = 0;
    for (const spend of bySlot.get(slot.time) ?? []) {
      const place = places.get(spend.model) ?? others;
      if (place !== undefined) parts[place] = sumOf(parts[place] ?? NOTHING, spend);
      exchanges += spend.exchanges;
    }
    return { slot, parts, total: parts.reduce(sumOf, NOTHING), exchanges };
  });
}

function sumOf(a: StackedCost, b: StackedCost): StackedCost {
  return { cost: a.cost + b.cost, estimated: a.estimated + b.estimated };
}
