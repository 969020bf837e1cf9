export type BudgetPeriod = 'total' | 'daily' | 'monthly';

/** The midnight, in the machine's time zone, with which the period began that `now` is in; 0 for all time. */
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

/** When the next period begins; `undefined` when none does. */
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
