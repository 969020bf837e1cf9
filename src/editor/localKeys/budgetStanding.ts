import * as l10n from '@vscode/l10n';
import { language } from '../../display/language.ts';
import type { BudgetPeriod } from '../../gateway/core/period.ts';
import { nextPeriod } from '../../gateway/core/period.ts';
import type { Budget, KeyDetails } from '../../gateway/keys/issuedKey.ts';
import type { KeySpend } from '../../gateway/ledger/keySpend.ts';

/** How one budget of a key stands in the present period. */
export interface BudgetStanding {
  readonly budget: Budget;
  /** In the budget's unit. */
  readonly spent: number;
  /** Of the budget that is spent; above 1 when it is passed. */
  readonly share: number;
  /** Whether what is spent contains estimates. */
  readonly isEstimated: boolean;
}

/** From this share on it is said that a budget is nearly spent. */
export const NEARLY = 0.8;

/** Those of which it is known what is spent, the one with the least left first. */
export function standingsOf({ budgets = [] }: KeyDetails, spend: KeySpend | undefined): BudgetStanding[] {
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
 * When the budgets of these periods reset: `resets 1 December`, `resets tomorrow`.
 * @returns undefined when none does, or when they do at different times.
 */
export function resetText(periods: readonly BudgetPeriod[], now: number): string | undefined {
  const ends = new Set(periods.map((period) => nextPeriod(period, now)).filter((end) => end !== undefined));
  const [end] = ends;
  if (end === undefined || ends.size > 1) return undefined;
  if (end === nextPeriod('daily', now)) return l10n.t('resets tomorrow');
  const day = new Date(end).toLocaleDateString(language(), { day: 'numeric', month: 'long' });
  return l10n.t('resets {0}', day);
}
