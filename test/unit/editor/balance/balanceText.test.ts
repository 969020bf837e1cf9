import assert from 'node:assert/strict';
import { dayOf, formatDay } from '../../../../src/display/day.ts';
import { administratorRequest } from '../../../../src/display/teamBudget.ts';
import { balanceText } from '../../../../src/editor/balance/balanceText.ts';
import { readBalance } from '../../../../src/service/balance.ts';
import { balanceLevel } from '../../../../src/service/balanceLevel.ts';

const MINUTE = 60_000;
const resets = formatDay(dayOf(Date.parse('2026-12-01T00:00:00.000Z')));

/** The balance of a key with $40, of which $18.40 are spent, in a team with $450. */
function ofTeam(usedByTeam: number) {
  const monthly = { period: 'monthly', renews_at: '2026-12-01T00:00:00.000Z', currency: 'USD', reserved: 0 };
  return readBalance({
    object: 'balance',
    remaining: Math.min(21.6, 450 - usedByTeam),
    key: { id: 'k-1', name: 'laptop' },
    team: { name: 'Platform', keys: 12, daily_average: 21.8 },
    used_today: 1.24,
    budgets: [
      { of: 'key', ...monthly, granted: 40, used: 18.4 },
      { of: 'team', ...monthly, granted: 450, used: usedByTeam, used_by_key: 18.4 },
    ],
  });
}

describe('the balance in the status bar', () => {
  it('is low below the warning threshold and exhausted at zero', () => {
    assert.equal(balanceLevel(readBalance({ balance: 12.44 }), 1), 'normal');
    assert.equal(balanceLevel(readBalance({ balance: 0.87 }), 1), 'low');
    assert.equal(balanceLevel(readBalance({ balance: 0 }), 1), 'exhausted');
    assert.equal(balanceLevel(readBalance({ balance: -0.5 }), 1), 'exhausted');
  });

  it('is exhausted if that is the state of the package, whatever the remaining amount', () => {
    assert.equal(balanceLevel(readBalance({ balance: 3, package_state: 'expired' }), 1), 'exhausted');
  });

  it('is unknown if the answer has no recognized fields', () => {
    assert.equal(balanceLevel(readBalance({ hello: 'world' }), 1), 'unknown');
    assert.equal(
      balanceText({ connection: 'hosted', balance: readBalance({}) }, 'unknown', 0),
      '$(credit-card) Balance unknown',
    );
  });

  it('shows the remaining amount, and what to do when it is used up', () => {
    const state = (balance: number) => ({ connection: 'hosted' as const, balance: readBalance({ balance }) });
    assert.equal(balanceText(state(12.449), 'normal', 0), '$(credit-card) $12.44');
    assert.equal(balanceText(state(0), 'exhausted', 0), '$(credit-card) $0.00 · Add credit');
  });

  it('shows the age of the figure if it could not be refreshed', () => {
    const balance = readBalance({ balance: 12.44 });
    const state = { connection: 'hosted' as const, balance, readAt: 0, problem: 'offline' };
    assert.equal(balanceText(state, 'normal', 6 * MINUTE), '$(credit-card) $12.44 · 6 min ago');
  });

  it('names the sandbox', () => {
    const state = { connection: 'sandbox' as const, balance: readBalance({ balance: 24.9958 }) };
    assert.equal(balanceText(state, 'normal', 0), '$(beaker) Sandbox · $24.99');
  });

  it('shows the key’s or the team’s budget that runs out first, and names the team if that is low', () => {
    const text = (balance: ReturnType<typeof readBalance>) =>
      balanceText({ connection: 'hosted', balance }, balanceLevel(balance, 2), 0);
    assert.equal(text(ofTeam(120)), '$(credit-card) $21.60');
    assert.equal(text(ofTeam(448.88)), '$(credit-card) $1.12 · team');
    assert.equal(text(ofTeam(450)), '$(credit-card) $0.00 · team');
    const without = readBalance({ object: 'balance', key: { id: 'k-1', name: 'laptop' }, budgets: [] });
    assert.equal(text(without), '$(credit-card) No budget');
  });

  it('lets the user ask the administrator for more without showing the key', () => {
    const { team = assert.fail() } = ofTeam(450);
    assert.equal(
      administratorRequest(team, 'models.example.com'),
      [
        'Please raise a budget at models.example.com.',
        'Team: Platform',
        'Key: laptop (ID k-1)',
        `Key budget: $18.40 of $40.00, resets on ${resets}`,
        `Team budget: $450.00 of $450.00, resets on ${resets}`,
      ].join('\n'),
    );
  });

  it('shows another currency by its code', () => {
    const balance = readBalance({ balance: 5, currency: 'EUR' });
    assert.equal(balanceText({ connection: 'hosted', balance }, 'normal', 0), '$(credit-card) 5.00 EUR');
  });
});
