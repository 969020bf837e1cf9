import assert from 'node:assert/strict';
import { numberIn } from '../../../src/rules/typedNumber.ts';

describe('a number that a person types', () => {
  for (const [typed, expected] of [
    ['5', 5],
    [' $2.50 ', 2.5],
    ['1,50', 1.5],
    ['0,5', 0.5],
    ['$1,000', 1000],
    ['1,000.50', 1000.5],
    ['1.000,50', 1000.5],
    ['2_000', 2000],
    ['200 000', 200_000],
    ['-3', -3],
  ] as const) {
    it(`is ${expected} for ${typed}`, () => assert.equal(numberIn(typed), expected));
  }

  for (const typed of ['', ' ', 'five', '5 dollars', '1,2,3', '$']) {
    it(`is none for ‘${typed}’`, () => assert.equal(numberIn(typed), Number.NaN));
  }
});
