import type { Balance } from './balance.ts';

export type BalanceLevel = 'unknown' | 'normal' | 'low' | 'exhausted';

/** Package states in which the key cannot pay, as services name them. */
const SPENT_STATE = /exhausted|depleted|used.?up|expired|suspended|insufficient|no.?credit/i;

/** `warnBelow` is in US dollars. A balance in another currency is compared without conversion. */
export function balanceLevel(balance: Balance | undefined, warnBelow: number): BalanceLevel {
  if (balance === undefined) return 'unknown';
  const { remaining, packageState } = balance;
  if (remaining !== undefined && remaining <= 0) return 'exhausted';
  if (packageState !== undefined && SPENT_STATE.test(packageState)) return 'exhausted';
  if (remaining === undefined) return 'unknown';
  return remaining < warnBelow ? 'low' : 'normal';
}
