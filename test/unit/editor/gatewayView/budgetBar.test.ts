import assert from 'node:assert/strict';
import fc from 'fast-check';
import { budgetBar } from '../../../../src/editor/gatewayView/budgetBar.ts';

const share = fc.double({ min: 0, max: 2, noNaN: true });
const marksOf = (bar: string) => bar.split('█').length - 1;

describe('the budget bar', () => {
  it('has a constant length, and fills up with the spending', () => {
    fc.assert(
      fc.property(share, share, (one, other) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)].map(budgetBar);
        assert.equal(less?.length, budgetBar(0).length);
        assert.ok(marksOf(less ?? '') <= marksOf(more ?? ''));
      }),
    );
  });

  it('is empty only if nothing is spent, and full only if nothing remains', () => {
    assert.equal(marksOf(budgetBar(0)), 0);
    assert.equal(marksOf(budgetBar(0.001)), 1);
    assert.ok(budgetBar(0.999).endsWith('░'));
    assert.equal(marksOf(budgetBar(1)), budgetBar(1).length);
  });
});
