export const BUDGET_PERIODS = ['total', 'daily', 'monthly'] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

/** Returns when the period that contains `now` began: midnight in the machine's time zone, or 0 for `total`. */
export function periodStart(period: BudgetPeriod, now: number): number {
  const date = new Date(now);
  switch (period) {
    case 'total':
      return 0;
    case 'daily':
      return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
    case 'monthly':
      return new Date(date.getFullYear(), date.getMonth(), 1).getTime();
  }
}

/** Returns when the period after that of `now` begins, or `undefined` for `total`. */
export function nextPeriod(period: BudgetPeriod, now: number): number | undefined {
  const date = new Date(now);
  switch (period) {
    case 'total':
      return undefined;
    case 'daily':
      return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
    case 'monthly':
      return new Date(date.getFullYear(), date.getMonth() + 1, 1).getTime();
  }
}
