import { toDollars } from '../core/cost.ts';
import type { Budget, KeyDetails } from '../keys/issuedKey.ts';

export type PackageState = 'active' | 'low' | 'exhausted';

/** In US dollars or in tokens. `remaining` leaves out nothing for requests under way; `reserved` is what they may use. */
interface Figures {
  readonly remaining: number;
  readonly granted: number;
  readonly used: number;
  readonly reserved: number;
}

/** Dollars stand where clients look for them; tokens do not, so that nobody takes them for dollars. */
type InUnit =
  | ({ readonly balance: number; readonly currency: 'USD' } & Figures)
  | { readonly unit: 'tokens'; readonly tokens: Figures };

interface Renewal {
  readonly period: Budget['period'];
  /** ISO 8601. */
  readonly renews_at?: string;
}

/** The body of `GET /balance` for a key that has budgets: of several the one that ends first, and each by itself. */
export type KeyBalance = {
  readonly object: 'balance';
  /** The key's name and how it stands. */
  readonly package: { readonly name: string; readonly state: PackageState };
  readonly expires_at?: string;
  readonly budgets?: readonly (Renewal & { readonly state: PackageState } & InUnit)[];
} & Renewal &
  InUnit;

/** How a budget stands, in its unit: billionths of a US dollar, or tokens. */
export interface BudgetState {
  readonly budget: Budget;
  readonly granted: number;
  readonly used: number;
  readonly reserved: number;
  readonly renewsAt: number | undefined;
}

/** Below this part of what was granted the package is `low`. */
const LOW_PART = 0.1;
const WORST_FIRST: readonly PackageState[] = ['exhausted', 'low', 'active'];

/** @returns `undefined` without budgets. */
export function keyBalance(key: KeyDetails, states: readonly BudgetState[]): KeyBalance | undefined {
  const [main] = states.toSorted(byRemaining);
  if (main === undefined) return undefined;
  const worst = WORST_FIRST.find((state) => states.some((each) => packageState(each) === state)) ?? 'active';
  return {
    object: 'balance',
    package: { name: key.name, state: worst },
    ...renewalOf(main),
    ...(key.expiresAt !== undefined && { expires_at: new Date(key.expiresAt).toISOString() }),
    ...inUnit(main),
    ...(states.length > 1 && {
      budgets: states.map((state) => ({ ...renewalOf(state), state: packageState(state), ...inUnit(state) })),
    }),
  };
}

/** Dollars before tokens, which cannot be compared with them; then what has least left. */
function byRemaining(a: BudgetState, b: BudgetState): number {
  if (a.budget.unit !== b.budget.unit) return a.budget.unit === 'usd' ? -1 : 1;
  return a.granted - a.used - (b.granted - b.used);
}

function renewalOf({ budget: { period }, renewsAt }: BudgetState): Renewal {
  return { period, ...(renewsAt !== undefined && { renews_at: new Date(renewsAt).toISOString() }) };
}

function inUnit({ budget: { unit }, granted, used, reserved }: BudgetState): InUnit {
  const shown = unit === 'usd' ? toDollars : (tokens: number) => tokens;
  const figures: Figures = {
    remaining: shown(Math.max(0, granted - used)),
    granted: shown(granted),
    used: shown(used),
    reserved: shown(reserved),
  };
  return unit === 'usd'
    ? { balance: figures.remaining, currency: 'USD', ...figures }
    : { unit: 'tokens', tokens: figures };
}

function packageState({ granted, used }: BudgetState): PackageState {
  const remaining = granted - used;
  if (remaining <= 0) return 'exhausted';
  return remaining < granted * LOW_PART ? 'low' : 'active';
}
