import assert from 'node:assert/strict';
import { capLeftText } from '../../../src/display/turns.ts';

describe('the remaining part of a session cap', () => {
  const left = (spent: number, turns: number, cost = spent) => capLeftText({ cap: 5, spent, turns, cost });

  it('is an amount, with the number of turns of average cost that it covers', () => {
    assert.equal(left(4.07, 18), '$0.93 left, about 4 turns');
    assert.equal(left(4, 5), '$1.00 left, about 1 turn');
  });

  it('is the amount alone if the cost of a turn is unknown', () => {
    assert.deepEqual([left(4, 0), left(0, 3)], ['$1.00 left', '$5.00 left']);
  });

  it('is undefined if nothing is left', () => {
    assert.deepEqual([left(5, 3), left(6, 3)], [undefined, undefined]);
  });
});
