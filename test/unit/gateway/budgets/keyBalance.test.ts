import assert from 'node:assert/strict';
import type { KeyDetails } from '../../../../src/gateway/keys/issuedKey.ts';
import { readBalance } from '../../../../src/service/balance.ts';
import { dollars, freshBudgets, keyWith, NOON, planned, reservationOf, tokens } from './planned.ts';

describe('the balance of a local key', () => {
  it('in dollars has the form of the service’s balance', () => {
    const all = freshBudgets();
    const key: KeyDetails = { ...dollars(5, 'monthly'), expiresAt: NOON + 5000 };
    reservationOf(all.ask(key, planned)).settle([{ usage: { inputTokens: 1_000_000, outputTokens: 500_000 } }]);
    assert.ok(all.ask(key, planned).ok);
    assert.deepEqual(all.balance(key), {
      object: 'balance',
      balance: 3.5,
      currency: 'USD',
      remaining: 3.5,
      granted: 5,
      used: 1.5,
      reserved: 0.002,
      package: { name: 'aider', state: 'active' },
      period: 'monthly',
      renews_at: new Date(2026, 11, 1).toISOString(),
      expires_at: new Date(NOON + 5000).toISOString(),
    });
    const { raw: _, ...read } = readBalance(all.balance(key));
    assert.deepEqual(read, {
      remaining: 3.5,
      granted: 5,
      used: 1.5,
      currency: 'USD',
      packageName: 'aider',
      packageState: 'active',
      expiresAt: NOON + 5000,
      others: [],
    });
  });

  it('in tokens is not read as dollars', () => {
    const all = freshBudgets();
    assert.deepEqual(all.balance(tokens(5000)), {
      object: 'balance',
      unit: 'tokens',
      tokens: { remaining: 5000, granted: 5000, used: 0, reserved: 0 },
      package: { name: 'aider', state: 'active' },
      period: 'total',
    });
    const { remaining, packageState } = readBalance(all.balance(tokens(5000)));
    assert.deepEqual([remaining, packageState], [undefined, 'active']);
  });

  it('with several budgets shows the dollar budget that runs out first, and lists each of them', () => {
    const all = freshBudgets();
    const key = keyWith(
      { amount: 5, unit: 'usd', period: 'monthly' },
      { amount: 1, unit: 'usd', period: 'daily' },
      { amount: 1000, unit: 'tokens', period: 'total' },
    );
    const small = { ...planned, inputTokens: 0, maxOutputTokens: 950 };
    reservationOf(all.ask(key, small)).settle([{ usage: { inputTokens: 0, outputTokens: 950 } }]);
    const balance = all.balance(key);
    assert.ok(balance !== undefined && 'currency' in balance);
    assert.deepEqual(
      [balance.period, balance.granted, balance.package.state, balance.renews_at],
      ['daily', 1, 'low', new Date(2026, 10, 22).toISOString()],
    );
    assert.deepEqual(
      balance.budgets?.map(({ period, state }) => [period, state]),
      [
        ['total', 'low'],
        ['monthly', 'active'],
        ['daily', 'active'],
      ],
    );
  });

  it('reports when it is low and when it is exhausted', () => {
    const all = freshBudgets();
    const key = tokens(10_000);
    const states = [0, 9000, 1, 999].map((outputTokens) => {
      const most = { ...planned, inputTokens: 0, maxOutputTokens: outputTokens };
      reservationOf(all.ask(key, most)).settle([{ usage: { inputTokens: 0, outputTokens } }]);
      return all.balance(key)?.package.state;
    });
    assert.deepEqual(states, ['active', 'active', 'low', 'exhausted']);
  });

  it('is never negative', () => {
    const all = freshBudgets();
    const key = dollars(0.002);
    reservationOf(all.ask(key, planned)).settle([{ usage: { inputTokens: 9000, outputTokens: 9000 } }]);
    const { remaining, used } = readBalance(all.balance(key));
    assert.deepEqual([remaining, used], [0, 0.018]);
  });
});
