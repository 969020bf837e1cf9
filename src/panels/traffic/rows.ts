import type { TrafficRow } from '../../pages/traffic/protocol.ts';

/** Merges two lists of exchanges, latest first. An entry of the ledger replaces the running exchange. */
export function mergedRows(entered: readonly TrafficRow[], live: readonly TrafficRow[]): readonly TrafficRow[] {
  if (live.length === 0) return entered;
  const known = new Set(entered.slice(0, SEARCHED).map(({ id }) => id));
  const others = live.filter(({ id }) => !known.has(id));
  return others.length === 0 ? entered : [...entered, ...others].sort(byTime);
}

/** Adds new entries to the list. */
export function withNewer(rows: readonly TrafficRow[], newer: readonly TrafficRow[]): readonly TrafficRow[] {
  const known = new Set(newer.map(({ id }) => id));
  return [...newer, ...rows.filter(({ id }) => !known.has(id))].sort(byTime);
}

interface Named {
  readonly id: string;
}

/**
 * Returns how many rows were added before a row that was already listed; negative if some were removed.
 *
 * @param at the former index of the row.
 * @returns undefined if the row was removed.
 */
export function rowsBefore(at: number, known: readonly Named[], rows: readonly Named[]): number | undefined {
  const id = known[at]?.id;
  const index = rows.findIndex((row) => row.id === id);
  return index === -1 ? undefined : index - at;
}

/**
 * An exchange that ends is among the latest ones, unless it took very long. Then it is only listed twice for a moment.
 */
const SEARCHED = 1_000;

function byTime(a: TrafficRow, b: TrafficRow): number {
  return b.at - a.at || (b.number ?? Number.POSITIVE_INFINITY) - (a.number ?? Number.POSITIVE_INFINITY) || 0;
}
