import * as l10n from '@vscode/l10n';
import { language } from '../../display/language.ts';
import type { Budget, KeyDetails } from '../../gateway/keys/issuedKey.ts';
import type { KeySpend } from '../../ledger/keySpend.ts';
import { type BudgetPeriod, nextPeriod } from '../../rules/period.ts';

/** A budget of a key and what was spent in the current period. */
export interface BudgetStatus {
  readonly budget: Budget;
  /** In the budget's unit. */
  readonly spent: number;
  /** The spent share of the budget; above 1 if it is exceeded. */
  readonly share: number;
  /** Whether the amount spent contains estimates. */
  readonly isEstimated: boolean;
}

/** A budget counts as nearly spent from this share. */
export const WARNING_SHARE = 0.8;

/** The budgets whose spending is known, the largest share spent first. */
export function budgetStatuses({ budgets = [] }: KeyDetails, spend: KeySpend | undefined): BudgetStatus[] {
  return budgets
    .flatMap((budget) => {
      const amounts = spend?.spent[budget.period];
      if (amounts === undefined) return [];
      const spent = budget.unit === 'usd' ? amounts.cost : amounts.tokens;
      return [{ budget, spent, share: spent / budget.amount, isEstimated: amounts.estimated > 0 }];
    })
    .sort((a, b) => b.share - a.share);
}

/**
 * The time when the budgets of these periods reset: `resets 1 December`, `resets tomorrow`.
 * @returns undefined if none resets, or they reset at different times.
 */
export function resetText(periods: readonly BudgetPeriod[], now: number): string | undefined {
  const ends = new Set(periods.map((period) => nextPeriod(period, now)).filter((end) => end !== undefined));
  const [end] = ends;
  if (end === undefined || ends.size > 1) return undefined;
  if (end === nextPeriod('daily', now)) return l10n.t('resets tomorrow');
  const day = new Date(end).toLocaleDateString(language(), { day: 'numeric', month: 'long' });
  return l10n.t('resets {0}', day);
}
