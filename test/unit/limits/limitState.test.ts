import assert from 'node:assert/strict';
import { type LimitState, limitLevel, passedBy } from '../../../src/limits/limitState.ts';
import { limitNote, limitQuestion, limitRows } from '../../../src/limits/limitText.ts';

const daily = (spent: number, limit = 5): LimitState => ({ period: 'daily', limit, spent });
const monthly = (spent: number, limit = 50): LimitState => ({ period: 'monthly', limit, spent });

describe('the limits of the service key in the editor', () => {
  it('are near from 80 percent and reached from 100 percent, by the worst of them', () => {
    assert.equal(limitLevel([]), 'normal');
    assert.equal(limitLevel([daily(3.99), monthly(10)]), 'normal');
    assert.equal(limitLevel([daily(4), monthly(10)]), 'near');
    assert.equal(limitLevel([daily(1), monthly(50)]), 'reached');
  });

  it('are shown in the status bar only if they are near or reached', () => {
    assert.equal(limitNote([daily(1)]), '');
    assert.equal(limitNote([daily(4.1), monthly(4.1)]), '82% of the daily limit');
    assert.equal(limitNote([daily(4.999)]), '99% of the daily limit');
    assert.equal(limitNote([daily(2), monthly(51)]), 'Monthly limit reached');
    assert.equal(limitRows([daily(4.1)])[0], 'Today: $4.10 of $5.00');
  });

  it('state that requests in progress elsewhere can exceed them', () => {
    assert.match(
      limitRows([daily(4.1), monthly(9)]).at(-1) ?? '',
      /in other windows or in the gateway are not counted/,
    );
    assert.deepEqual(limitRows([]), []);
  });

  it('are exceeded by past spending or by the next request', () => {
    assert.equal(passedBy([daily(4), monthly(4)], 0.5), undefined);
    assert.equal(passedBy([daily(4), monthly(49.9)], 0.5)?.period, 'monthly');
    assert.equal(passedBy([daily(5), monthly(5)])?.period, 'daily');
  });

  it('count running requests as spent', () => {
    assert.equal(passedBy([daily(4)], 0, 0.9), undefined);
    assert.equal(passedBy([daily(4)], 0, 1)?.period, 'daily');
    assert.equal(passedBy([daily(4)], 0.5, 0.6)?.period, 'daily');
  });

  it('ask for confirmation with the amount spent and the cost of the request', () => {
    const { title, detail } = limitQuestion(daily(4.9), 0.25);
    assert.equal(title, 'This request may exceed the daily limit of $5.00.');
    assert.match(detail, /^\$4\.90 has been spent\. This request costs ≈\s\$0\.25\./);
    assert.match(limitQuestion(daily(4.9), 0.25, 'Tests').detail, /^The chat “Tests” sends it\. /);
    assert.equal(limitQuestion(monthly(50), undefined).title, 'The monthly limit of $50.00 is reached.');
  });
});
