import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Balance, readBalance } from '../../../src/service/balance.ts';

type Case = readonly [title: string, body: unknown, expected: Partial<Omit<Balance, 'raw'>>];

function check([title, body, expected]: Case): void {
  it(title, () => {
    const { raw, ...balance } = readBalance(body);
    assert.deepEqual(balance, { currency: 'USD', others: [], ...expected });
    assert.equal(raw, body);
  });
}

describe('readBalance', () => {
  describe('finds the remaining amount in', () => {
    const cases: readonly Case[] = [
      ['a number', { balance: 12.5 }, { remaining: 12.5 }],
      ['zero', { balance: 0 }, { remaining: 0 }],
      ['less than zero', { balance: -0.25 }, { remaining: -0.25 }],
      ['a numeric text', { balance: '12.50' }, { remaining: 12.5 }],
      ['a text with a sign before', { balance: '$12.50' }, { remaining: 12.5 }],
      ['a text with a currency behind', { balance: '12.50 EUR' }, { remaining: 12.5, currency: 'EUR' }],
      ['a text with a currency before', { balance: 'USD 12.50' }, { remaining: 12.5 }],
      ['grouped thousands', { balance: '1,234.50' }, { remaining: 1234.5 }],
      ['grouped thousands without a fraction', { balance: '1,234' }, { remaining: 1234 }],
      ['a decimal comma', { balance: '1.234,50 €' }, { remaining: 1234.5, currency: 'EUR' }],
      ['a debt in words', { balance: '-$3.10' }, { remaining: -3.1 }],
      ['remaining', { remaining: 3 }, { remaining: 3 }],
      ['remaining_balance', { remaining_balance: '3' }, { remaining: 3 }],
      ['remainingBalance', { remainingBalance: 3 }, { remaining: 3 }],
      ['available', { available: 3 }, { remaining: 3 }],
      ['credits', { credits: 3 }, { remaining: 3 }],
      ['credit', { credit: 3 }, { remaining: 3 }],
      ['remaining_credits', { remaining_credits: 3 }, { remaining: 3 }],
      ['credits_remaining', { data: { credits_remaining: 3 } }, { remaining: 3 }],
      ['balance_usd', { balance_usd: 3.5 }, { remaining: 3.5 }],
      ['balance_eur', { balance_eur: 3.5 }, { remaining: 3.5, currency: 'EUR' }],
      ['cents', { balance_cents: 1999 }, { remaining: 19.99 }],
      ['cents of what remains', { remaining_cents: 1250 }, { remaining: 12.5 }],
      ['under data', { data: { balance: 4 } }, { remaining: 4 }],
      ['under balance', { balance: { amount: '4.20', currency: 'eur' } }, { remaining: 4.2, currency: 'EUR' }],
      ['under result and account', { result: { account: { available_balance: 4 } } }, { remaining: 4 }],
      ['under key', { key: { limit_remaining: 4, limit: 10 } }, { remaining: 4, granted: 10 }],
      ['under package', { package: { remaining: 4, total: 10, used: 6 } }, { remaining: 4, granted: 10, used: 6 }],
      ['the certain name before the vague one', { balance: 30, remaining: 12 }, { remaining: 12 }],
      ['total minus used', { data: { total_credits: 30, total_usage: 12 } }, { remaining: 18, granted: 30, used: 12 }],
      ['a bare number', 7.25, { remaining: 7.25 }],
      ['a currency beside it', { balance: 5, currency: 'GBP' }, { remaining: 5, currency: 'GBP' }],
    ];
    cases.forEach(check);
  });

  describe('separates several currencies', () => {
    const euros = [{ amount: 3, currency: 'EUR' }];
    const cases: readonly Case[] = [
      [
        'in a list, dollars first',
        {
          balance_infos: [
            { currency: 'EUR', total_balance: '3' },
            { currency: 'USD', total_balance: '110.00' },
          ],
        },
        { remaining: 110, others: euros },
      ],
      ['in a list under balances', { balances: [{ currency: 'EUR', amount: 3 }] }, { remaining: 3, currency: 'EUR' }],
      ['by name', { balance: { EUR: 3, USD: '5.5' } }, { remaining: 5.5, others: euros }],
      ['in a bare list', [{ balance: 2 }, { balance: 3, currency: 'EUR' }], { remaining: 2, others: euros }],
      ['and adds up entries of one', { data: [{ remaining: 2 }, { remaining: 3 }] }, { remaining: 5 }],
    ];
    cases.forEach(check);
  });

  describe('finds the package', () => {
    const cases: readonly Case[] = [
      ['package_state', { package_state: 'active' }, { packageState: 'active' }],
      ['packageState', { packageState: 'ACTIVE' }, { packageState: 'ACTIVE' }],
      ['state within', { package: { state: 'active', name: 'Pro' } }, { packageState: 'active', packageName: 'Pro' }],
      [
        'status of a plan',
        { plan: { status: 'paused' }, plan_name: 'Max' },
        { packageState: 'paused', packageName: 'Max' },
      ],
      ['status of a subscription', { subscription: { status: 'trialing' } }, { packageState: 'trialing' }],
      ['a plain state', { balance: 1, state: 'depleted' }, { remaining: 1, packageState: 'depleted' }],
      ['a package that is only a name', { package: 'Starter' }, { packageName: 'Starter' }],
      ['yes or no', { package: { active: false } }, { packageState: 'inactive' }],
      ['not the status of the envelope', { status: 'success', data: { balance: 2 } }, { remaining: 2 }],
      ['the status inside an envelope', { status: 'ok', data: { status: 'active' } }, { packageState: 'active' }],
      ['its end as a date', { package: { expires_at: '2026-12-31T00:00:00Z' } }, { expiresAt: Date.UTC(2026, 11, 31) }],
      ['its end in seconds', { expires_at: 1798675200 }, { expiresAt: 1798675200000 }],
      ['its end in milliseconds', { expiry: 1798675200000 }, { expiresAt: 1798675200000 }],
    ];
    cases.forEach(check);
  });

  describe('recognizes nothing in', () => {
    const cases: readonly Case[] = [
      ['nothing', undefined, {}],
      ['null', null, {}],
      ['an empty record', {}, {}],
      ['an empty list', [], {}],
      ['words', { balance: 'unlimited', credits: 'n/a' }, {}],
      ['yes and no', { balance: true, available: false }, {}],
      ['a number that stands for "unlimited"', { remaining: 9e15, balance: 1e300 }, {}],
      ['numbers that are none', { balance: Number.NaN, credits: Number.POSITIVE_INFINITY }, {}],
      ['a page', '<html></html>', {}],
      ['names of the prototype', JSON.parse('{"__proto__":{"balance":5}}'), {}],
      ['a success without content', { success: true, status: 'success', code: 200 }, {}],
      ['a date', { balance: '2026-01-01' }, {}],
    ];
    cases.forEach(check);
  });

  it('never throws, and the remaining amount is a finite number or absent', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        const { remaining = 0, others } = readBalance(body);
        assert.ok(Number.isFinite(remaining));
        assert.ok(others.every(({ amount }) => Number.isFinite(amount)));
      }),
    );
  });

  it('finds any amount under any spelling of a common name', () => {
    const names = fc.constantFrom('balance', 'remaining', 'remaining_credits', 'remainingCredits', 'Available-Balance');
    const cents = fc.integer({ min: -1_000_000, max: 1_000_000 });
    const places = fc.constantFrom(
      (x: object) => x,
      (x: object) => ({ data: x }),
      (x: object) => ({ ok: true, result: { key: x } }),
    );
    fc.assert(
      fc.property(names, cents, places, fc.boolean(), (name, hundredths, place, asText) => {
        const amount = hundredths / 100;
        assert.equal(readBalance(place({ [name]: asText ? amount.toFixed(2) : amount })).remaining, amount);
      }),
    );
  });
});
