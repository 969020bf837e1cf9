import type { BudgetPeriod } from './period.ts';
/** A key of a team's gateway with its budgets, and which of them ends first. */

/** Amounts are in US dollars, or in tokens if that is the unit. */
export interface TeamBudget {
  readonly of: 'key' | 'team';
  readonly unit: 'usd' | 'tokens';
  readonly period: BudgetPeriod;
  readonly granted: number;
  readonly used: number;
  /** What running requests may use. Not included in `used`. */
  readonly reserved: number;
  readonly remaining: number;
  /** Milliseconds since the epoch. Undefined for a total budget. */
  readonly renewsAt?: number;
  /** What the key has used of its team's budget. */
  readonly usedByKey?: number;
}

export interface TeamAccount {
  readonly key: { readonly id: string; readonly name: string };
  readonly team?: {
    readonly name: string;
    /** The number of the team's keys. */
    readonly keys: number;
    /** The team's average spending per day, in US dollars. */
    readonly dailyAverage: number;
  };
  /** What the key has spent today, in US dollars. */
  readonly usedToday: number;
  /** The key's own budgets first. */
  readonly budgets: readonly TeamBudget[];
}

/** Returns the budget in dollars that is used up first, or else the first one in tokens. */
export function tightestBudget({ budgets }: TeamAccount): TeamBudget | undefined {
  const dollars = budgets.filter(({ unit }) => unit === 'usd');
  return (dollars.length > 0 ? dollars : budgets).toSorted((a, b) => a.remaining - b.remaining)[0];
}
