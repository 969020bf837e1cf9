import assert from 'node:assert/strict';
import { defined } from '../../../src/formats/defined.ts';

describe('defined', () => {
  it('leaves out what is undefined and nothing else, in the same order', () => {
    const result = defined({ z: null, a: undefined, m: 0, b: false, c: '' });
    assert.deepEqual(Object.entries(result), [
      ['z', null],
      ['m', 0],
      ['b', false],
      ['c', ''],
    ]);
  });

  it('does not look into members', () => {
    assert.deepEqual(Object.keys(defined({ inner: { a: undefined } }).inner), ['a']);
  });
});
