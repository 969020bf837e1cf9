import type { Budget, KeyDetails } from '../../gateway/keys/issuedKey.ts';
import type { KeySpend } from '../../gateway/ledger/keySpend.ts';

/** How one budget of a key stands in the present period. */
export interface BudgetStanding {
  readonly budget: Budget;
  /** In the budget's unit. */
  readonly spent: number;
  /** Of the budget that is spent; above 1 when it is passed. */
  readonly share: number;
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
      return [{ budget, spent, share: spent / budget.amount }];
    })
    .sort((a, b) => b.share - a.share);
}
