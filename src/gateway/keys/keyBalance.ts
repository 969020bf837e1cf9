import { toDollars } from '../ledger/cost.ts';
import type { Budget, KeyDetails } from './issuedKey.ts';

export type PackageState = 'active' | 'low' | 'exhausted';

/** In US dollars or in tokens. `remaining` leaves out nothing for requests under way; `reserved` is what they may use. */
interface Figures {
  readonly remaining: number;
  readonly granted: number;
  readonly used: number;
  readonly reserved: number;
}

/**
 * The body of `GET /balance` for a key that has a budget. Dollars stand where clients look for them; tokens do not, so
 * that nobody takes them for dollars.
 */
export type KeyBalance = {
  readonly object: 'balance';
  /** The key's name and how it stands. */
  readonly package: { readonly name: string; readonly state: PackageState };
  readonly period: Budget['period'];
  /** ISO 8601. */
  readonly renews_at?: string;
  readonly expires_at?: string;
} & (
  | ({ readonly balance: number; readonly currency: 'USD' } & Figures)
  | { readonly unit: 'tokens'; readonly tokens: Figures }
);

/** In the unit of the budget: billionths of a US dollar, or tokens. */
export interface BudgetState {
  readonly granted: number;
  readonly used: number;
  readonly reserved: number;
  readonly renewsAt: number | undefined;
}

/** Below this part of what was granted the package is `low`. */
const LOW_PART = 0.1;

export function keyBalance(key: KeyDetails, { unit, period }: Budget, state: BudgetState): KeyBalance {
  const common = {
    object: 'balance',
    package: { name: key.name, state: packageState(state) },
    period,
    ...(state.renewsAt !== undefined && { renews_at: new Date(state.renewsAt).toISOString() }),
    ...(key.expiresAt !== undefined && { expires_at: new Date(key.expiresAt).toISOString() }),
  } as const;
  const remaining = Math.max(0, state.granted - state.used);
  const shown = unit === 'usd' ? toDollars : (tokens: number) => tokens;
  const figures: Figures = {
    remaining: shown(remaining),
    granted: shown(state.granted),
    used: shown(state.used),
    reserved: shown(state.reserved),
  };
  return unit === 'usd'
    ? { ...common, balance: figures.remaining, currency: 'USD', ...figures }
    : { ...common, unit, tokens: figures };
}

function packageState({ granted, used }: BudgetState): PackageState {
  const remaining = granted - used;
  if (remaining <= 0) return 'exhausted';
  return remaining < granted * LOW_PART ? 'low' : 'active';
}
