import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { linePlaces } from '../../../../src/chat/apply/linePlaces.ts';
import { runs } from '../../../support/randomRuns.ts';

describe('places of lines in a text', () => {
  it('are all places where the lines occur, also where they overlap', () => {
    const lines = (most: number) => fc.array(fc.constantFrom('a', 'b'), { maxLength: most });
    fc.assert(
      fc.property(lines(5), lines(20), fc.nat(20), (wanted, text, from) => {
        const starts = Array.from({ length: Math.max(0, text.length - wanted.length + 1) }, (_, start) => start);
        const expected = starts.filter(
          (start) => start >= from && wanted.every((line, index) => line === text[start + index]),
        );
        assert.deepEqual(linePlaces(wanted, text, from), expected);
      }),
      { numRuns: runs(500) },
    );
  });
});
