import assert from 'node:assert/strict';
import type { KeyDetails } from '../../../../src/gateway/keys/issuedKey.ts';
import { budgetText, expiryText, limitsText, spendText } from '../../../../src/pages/localKey/keyText.ts';

const NOW = new Date(2026, 10, 21, 12).getTime();
const LIMITS = { parallel: 2, requestsPerMinute: 60, tokensPerMinute: 200_000, sessionDollars: 5 };
const KEY: KeyDetails = { id: 'one', name: 'aider', createdAt: 0 };

describe('the description of a local key', () => {
  it('states its budget and the period', () => {
    assert.equal(budgetText({ amount: 5, unit: 'usd', period: 'monthly' }), '$5.00 per month');
    assert.equal(budgetText({ amount: 200_000, unit: 'tokens', period: 'total' }), '200,000 tokens in total');
  });

  it('states how much of its budget is spent, in the unit of the budget', () => {
    const amount = { cost: 1.2, tokens: 3400, estimated: 0 };
    const spend = { id: 'one', spent: { total: amount, monthly: amount, daily: amount } };
    assert.equal(spendText(KEY, spend), '$1.20 spent');
    const inDollars = { amount: 5, unit: 'usd', period: 'monthly' } as const;
    assert.equal(spendText({ ...KEY, budgets: [inDollars] }, spend), '$1.20 of $5.00 spent this month');
    const inTokens = { amount: 9000, unit: 'tokens', period: 'daily' } as const;
    assert.equal(spendText({ ...KEY, budgets: [inTokens] }, spend), '3,400 of 9,000 tokens spent today');
    assert.equal(
      spendText({ ...KEY, budgets: [inDollars, inTokens] }, spend),
      '3,400 of 9,000 tokens spent today · $1.20 of $5.00 spent this month',
    );
    assert.equal(spendText(KEY, undefined), undefined);
  });

  it('marks spending that contains estimates', () => {
    const spend = (cost: number) => ({ id: 'one', spent: { total: { cost, tokens: 3400, estimated: 1 } } });
    assert.equal(spendText(KEY, spend(1.2)), '≈\u2009$1.20 spent');
    assert.equal(spendText(KEY, spend(0)), '$0.00 spent');
    const inDollars = { amount: 5, unit: 'usd', period: 'total' } as const;
    assert.equal(spendText({ ...KEY, budgets: [inDollars] }, spend(1.2)), '≈\u2009$1.20 of $5.00 spent');
    const inTokens = { amount: 9000, unit: 'tokens', period: 'total' } as const;
    assert.equal(spendText({ ...KEY, budgets: [inTokens] }, spend(1.2)), '≈\u20093,400 of 9,000 tokens spent');
  });

  it('states when it expires or expired', () => {
    assert.equal(expiryText(KEY, NOW), undefined);
    assert.match(expiryText({ ...KEY, expiresAt: NOW + 1 }, NOW) ?? '', /^expires on .*2026/);
    assert.match(expiryText({ ...KEY, expiresAt: NOW }, NOW) ?? '', /^expired on .*2026/);
  });

  it('names each of its limits', () => {
    assert.deepEqual(limitsText(KEY, NOW), []);
    const key = {
      ...KEY,
      budgets: [{ amount: 1, unit: 'usd', period: 'daily' }],
      limits: LIMITS,
      models: ['a', 'b-*'],
    } as const;
    assert.deepEqual(limitsText(key, NOW), [
      '$1.00 per day',
      '2 in parallel',
      '60 requests per minute',
      '200,000 tokens per minute',
      '$5.00 per session',
      'a, b-*',
    ]);
  });
});
