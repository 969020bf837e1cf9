import type { UsagePace } from '../../pages/usage/protocol.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Before a day has passed, the pace is not meaningful. */
const MIN_DAYS = 1;
const MAX_DAYS = 365;

/** When the balance runs out at the pace of the last days. `at` is in milliseconds since the epoch. */
export type Forecast =
  | { readonly kind: 'until'; readonly at: number; readonly perDay: number }
  | { readonly kind: 'overAYear'; readonly perDay: number }
  | { readonly kind: 'tooEarly' | 'nothingSpent' | 'usedUp' | 'unknown' };

export function forecastOf({ days, cost }: UsagePace, balance: number | undefined, now: number): Forecast {
  if (balance === undefined) return { kind: 'unknown' };
  if (balance <= 0) return { kind: 'usedUp' };
  if (cost === 0) return { kind: 'nothingSpent' };
  if (days < MIN_DAYS) return { kind: 'tooEarly' };
  const perDay = cost / days;
  const left = balance / perDay;
  return left > MAX_DAYS ? { kind: 'overAYear', perDay } : { kind: 'until', at: now + left * DAY_MS, perDay };
}
