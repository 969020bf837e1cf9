import { toDollars } from '../../ledger/cost.ts';
import type { Budget, KeyDetails } from '../keys/issuedKey.ts';

export type PackageState = 'active' | 'low' | 'exhausted';

/** In US dollars or in tokens. `reserved` is what running requests may use; it is not subtracted from `remaining`. */
interface Figures {
  readonly remaining: number;
  readonly granted: number;
  readonly used: number;
  readonly reserved: number;
}

/**
 * Dollars are in the members where clients expect them. Tokens are not, so that clients do not show them as dollars.
 */
type InUnit =
  | ({ readonly balance: number; readonly currency: 'USD' } & Figures)
  | { readonly unit: 'tokens'; readonly tokens: Figures };

interface Renewal {
  readonly period: Budget['period'];
  /** ISO 8601. */
  readonly renews_at?: string;
}

export type BudgetFigures = Renewal & { readonly state: PackageState } & InUnit;

/**
 * The body of `GET /balance` for a key with budgets: the figures of the budget that is exhausted first, and of each
 * budget if there are several.
 */
export type KeyBalance = {
  readonly object: 'balance';
  readonly package: { readonly name: string; readonly state: PackageState };
  readonly expires_at?: string;
  readonly budgets?: readonly BudgetFigures[];
} & Renewal &
  InUnit;

/** The figures of a budget, in its unit: billionths of a US dollar, or tokens. */
export interface BudgetState {
  readonly budget: Budget;
  readonly granted: number;
  readonly used: number;
  readonly reserved: number;
  readonly renewsAt: number | undefined;
}

/** If less than this fraction of the granted amount is left, the state is `low`. */
const LOW_PART = 0.1;
const WORST_FIRST: readonly PackageState[] = ['exhausted', 'low', 'active'];

/** @returns `undefined` if the key has no budgets. */
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
    ...(states.length > 1 && { budgets: states.map(budgetFigures) }),
  };
}

export function budgetFigures(state: BudgetState): BudgetFigures {
  return { ...renewalOf(state), state: packageState(state), ...inUnit(state) };
}

/** Sorts dollars before tokens, because the two cannot be compared, then by the remaining amount, lowest first. */
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
