import assert from 'node:assert/strict';
import { BoundedMap } from '../../../src/rules/boundedMap.ts';

describe('a bounded map', () => {
  it('forgets the entry that was set longest ago', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
    assert.deepEqual(
      [...map],
      [
        ['a', 3],
        ['c', 4],
      ],
    );
  });

  it('keeps entries that are set again', () => {
    const map = new BoundedMap<string, number>(1);
    map.set('a', 1).set('a', 2);
    assert.equal(map.get('a'), 2);
  });
});
