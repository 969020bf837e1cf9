import type { TrafficRow } from '../../editor/traffic/protocol.ts';

/** Two lists of exchanges as one, the latest first. What is entered in the ledger takes the place of what ran. */
export function mergedRows(entered: readonly TrafficRow[], live: readonly TrafficRow[]): readonly TrafficRow[] {
  if (live.length === 0) return entered;
  const known = new Set(entered.slice(0, SEARCHED).map(({ id }) => id));
  const others = live.filter(({ id }) => !known.has(id));
  return others.length === 0 ? entered : [...entered, ...others].sort(byTime);
}

/** New entries among those that are listed. */
export function withNewer(rows: readonly TrafficRow[], newer: readonly TrafficRow[]): readonly TrafficRow[] {
  const known = new Set(newer.map(({ id }) => id));
  return [...newer, ...rows.filter(({ id }) => !known.has(id))].sort(byTime);
}

interface Named {
  readonly id: string;
}

/**
 * How many rows have come before one that was listed already; less than 0 where some have gone.
 *
 * @param at where it was.
 * @returns undefined when it has gone.
 */
export function rowsBefore(at: number, known: readonly Named[], rows: readonly Named[]): number | undefined {
  const id = known[at]?.id;
  const index = rows.findIndex((row) => row.id === id);
  return index === -1 ? undefined : index - at;
}

/** An exchange that ends is among the latest, unless it took very long; then it is only listed twice for a moment. */
const SEARCHED = 1_000;

function byTime(a: TrafficRow, b: TrafficRow): number {
  return b.at - a.at || (b.number ?? Number.POSITIVE_INFINITY) - (a.number ?? Number.POSITIVE_INFINITY) || 0;
}
