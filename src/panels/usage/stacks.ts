import type { UsageReport } from '../../editor/usage/protocol.ts';
import type { Series } from './series.ts';
import { type Slot, slotsOf } from './slots.ts';

/** One bar: the cost of each series, in order. */
export interface Stack {
  readonly slot: Slot;
  readonly costs: readonly number[];
  readonly total: number;
  readonly exchanges: number;
}

/** A bar for each slot of the period, including those without spending. */
export function stacksOf(report: UsageReport, series: readonly Series[]): Stack[] {
  const places = new Map(series.map(({ model }, place) => [model, place]));
  const others = places.get(undefined);
  const bySlot = Map.groupBy(report.spends, ({ time }) => time);
  return slotsOf(report).map((slot) => {
    const costs = series.map(() => 0);
    let exchanges = 0;
    for (const spend of bySlot.get(slot.time) ?? []) {
      const place = places.get(spend.model) ?? others;
      if (place !== undefined) costs[place] = (costs[place] ?? 0) + spend.cost;
      exchanges += spend.exchanges;
    }
    return { slot, costs, total: costs.reduce((sum, cost) => sum + cost, 0), exchanges };
  });
}
