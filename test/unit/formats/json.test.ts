import assert from 'node:assert/strict';
import { defined } from '../../../src/formats/json.ts';

describe('defined', () => {
  it('omits undefined properties and nothing else, and keeps the order', () => {
    const result = defined({ z: null, a: undefined, m: 0, b: false, c: '' });
    assert.deepEqual(Object.entries(result), [
      ['z', null],
      ['m', 0],
      ['b', false],
      ['c', ''],
    ]);
  });

  it('does not look into nested properties', () => {
    assert.deepEqual(Object.keys(defined({ inner: { a: undefined } }).inner), ['a']);
  });
});
