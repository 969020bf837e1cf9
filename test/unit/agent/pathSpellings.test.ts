import assert from 'node:assert/strict';
import { pathSpellings } from '../../../src/agent/pathSpellings.ts';

describe('what else a path of a model may mean', () => {
  for (const [written, meant] of [
    ['"src/a.ts"', 'src/a.ts'],
    ['`src/a.ts`', 'src/a.ts'],
    ['@src/a.ts', 'src/a.ts'],
    ['@/src/a.ts', 'src/a.ts'],
    ['/src/a.ts', 'src/a.ts'],
    ['src/a.ts:12', 'src/a.ts'],
    ['src/a.ts:12-20', 'src/a.ts'],
    ['src/a.ts:12:5', 'src/a.ts'],
    ['src/a.ts#L12-L20', 'src/a.ts'],
    ["'/src/a.ts:3'", 'src/a.ts'],
  ] as const) {
    it(`is the path in it: ${written}`, () => assert.ok(pathSpellings(written).includes(meant)));
  }

  it('is nothing for a plain path', () => {
    for (const path of ['src/a.ts', 'a', '.', 'C:/a.ts', '@', '/']) assert.deepEqual(pathSpellings(path), []);
  });
});
