import type { UsageReport } from '../../editor/usage/protocol.ts';
import type { Series } from './series.ts';
import { type Slot, slotsOf } from './slots.ts';

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
export function stacksOf(report: UsageReport, series: readonly Series[]): Stack[] {
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
