import assert from 'node:assert/strict';
import type { ApiError } from '../../../../src/formats/apiError.ts';
import {
  type BudgetShortage,
  Budgets,
  type PlannedRequest,
  type UsedAmount,
} from '../../../../src/gateway/budgets/budgets.ts';
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

/** Budgets that give each request that is asked for an exchange of its own, and its reservation to the test. */
export class AskedBudgets extends Budgets {
  readonly #clock: () => number;
  #asked = 0;

  constructor(spentBy: ConstructorParameters<typeof Budgets>[0], now = () => NOON) {
    super(spentBy, now);
    this.#clock = now;
  }

  /** @param exchangeId of an exchange that has asked before. */
  ask(key: KeyDetails, request: PlannedRequest, at = this.#clock(), exchangeId = this.#nextId()): Verdict {
    const shortage = this.reserve(exchangeId, key, request, at);
    if (shortage !== undefined) return { ok: false, ...shortage };
    const settle = (used: readonly UsedAmount[]) => this.settle(exchangeId, key.id, at, used);
    return { ok: true, reservation: { exchangeId, settle, release: () => settle([]) } };
  }

  #nextId(): string {
    this.#asked += 1;
    return `req_${this.#asked}`;
  }
}

interface Reservation {
  readonly exchangeId: string;
  settle(used: readonly UsedAmount[]): void;
  release(): void;
}
type Verdict = { readonly ok: true; readonly reservation: Reservation } | ({ readonly ok: false } & BudgetShortage);

export const reservationOf = (verdict: Verdict) => {
  assert.ok(verdict.ok);
  return verdict.reservation;
};
export const errorOf = (verdict: Verdict): ApiError => {
  assert.ok(!verdict.ok);
  return verdict.refusal.error;
};

/** Budgets of keys that have spent nothing yet. */
export const freshBudgets = (now = () => NOON) => new AskedBudgets(() => NOTHING, now);
