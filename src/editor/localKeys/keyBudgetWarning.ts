import type { BudgetPeriod } from '../../gateway/core/period.ts';

/** A budget that is nearly spent or used up, in words. */
export interface KeyBudgetWarning {
  /** Of the key. */
  readonly id: string;
  readonly period: BudgetPeriod;
  /** For the status bar: `aider 82%`. */
  readonly short: string;
  /** A sentence. */
  readonly long: string;
}
