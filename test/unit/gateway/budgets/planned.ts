import assert from 'node:assert/strict';
import type { ApiError } from '../../../../src/formats/apiError.ts';
import { Budgets, type BudgetVerdict, type PlannedRequest } from '../../../../src/gateway/budgets/budgets.ts';
import type { Budget, KeyDetails } from '../../../../src/gateway/keys/issuedKey.ts';

const NOTHING = { inputTokens: 0, outputTokens: 0, cost: 0 };
export const NOON = new Date(2026, 10, 21, 12).getTime();
export const MIDNIGHT = new Date(2026, 10, 22).getTime();

export const keyWith = (...budgets: readonly Budget[]): KeyDetails => ({
  id: 'one',
  name: 'aider',
  createdAt: NOON,
  ...(budgets.length > 0 && { budgets }),
});
export const dollars = (amount: number, period: Budget['period'] = 'total') => keyWith({ amount, unit: 'usd', period });
export const tokens = (amount: number, period: Budget['period'] = 'total') =>
  keyWith({ amount, unit: 'tokens', period });

/** $1 per 1M tokens of either kind: 1,000 input and 1,000 output tokens are $0.002. */
export const prices = { inputPrice: 1, outputPrice: 1 };
export const planned: PlannedRequest = { model: 'm', inputTokens: 1000, maxOutputTokens: 1000, prices };
export const MAX_OF_PLANNED = 2000;

export const reservationOf = (verdict: BudgetVerdict) => {
  assert.ok(verdict.ok);
  return verdict.reservation;
};
export const errorOf = (verdict: BudgetVerdict): ApiError => {
  assert.ok(!verdict.ok);
  return verdict.refusal.error;
};

/** Budgets of keys that have spent nothing yet. */
export const freshBudgets = (now = () => NOON) => new Budgets(() => NOTHING, now);
