import assert from 'node:assert/strict';
import { balanceLevel } from '../../../../src/editor/balance/balanceLevel.ts';
import { balanceText } from '../../../../src/editor/balance/balanceText.ts';
import { readBalance } from '../../../../src/service/balance.ts';

const MINUTE = 60_000;

describe('the balance in the status bar', () => {
  it('is low under the warning and exhausted at nothing', () => {
    assert.equal(balanceLevel(readBalance({ balance: 12.44 }), 1), 'normal');
    assert.equal(balanceLevel(readBalance({ balance: 0.87 }), 1), 'low');
    assert.equal(balanceLevel(readBalance({ balance: 0 }), 1), 'exhausted');
    assert.equal(balanceLevel(readBalance({ balance: -0.5 }), 1), 'exhausted');
  });

  it('is exhausted when the package says so, whatever is left', () => {
    assert.equal(balanceLevel(readBalance({ balance: 3, package_state: 'expired' }), 1), 'exhausted');
  });

  it('is unknown when nothing in the answer is recognised', () => {
    assert.equal(balanceLevel(readBalance({ hello: 'world' }), 1), 'unknown');
    assert.equal(
      balanceText({ connection: 'hosted', balance: readBalance({}) }, 'unknown', 0),
      '$(credit-card) Balance unknown',
    );
  });

  it('shows what is left, and what to do when it is used up', () => {
    const state = (balance: number) => ({ connection: 'hosted' as const, balance: readBalance({ balance }) });
    assert.equal(balanceText(state(12.449), 'normal', 0), '$(credit-card) $12.44');
    assert.equal(balanceText(state(0), 'exhausted', 0), '$(credit-card) $0.00 · Add credit');
  });

  it('says how old the figure is when it could not be read', () => {
    const balance = readBalance({ balance: 12.44 });
    const state = { connection: 'hosted' as const, balance, readAt: 0, problem: 'offline' };
    assert.equal(balanceText(state, 'normal', 6 * MINUTE), '$(credit-card) $12.44 · 6 min ago');
  });

  it('names the sandbox where it is one', () => {
    const state = { connection: 'sandbox' as const, balance: readBalance({ balance: 24.9958 }) };
    assert.equal(balanceText(state, 'normal', 0), '$(beaker) Sandbox · $24.99');
  });

  it('shows another currency by its code', () => {
    const balance = readBalance({ balance: 5, currency: 'EUR' });
    assert.equal(balanceText({ connection: 'hosted', balance }, 'normal', 0), '$(credit-card) 5.00 EUR');
  });
});
