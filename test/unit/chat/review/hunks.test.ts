import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hunksBetween, withHunks } from '../../../../src/chat/review/hunks.ts';

/** Texts with few different lines, so that many of them are equal; some have no final line break. */
function texts(): fc.Arbitrary<string> {
  const lines = fc.array(fc.constantFrom('one', 'two', 'three', '', '}'), { maxLength: 15 });
  return fc.tuple(lines, fc.boolean()).map(([parts, ends]) => parts.join('\n') + (ends ? '\n' : ''));
}

describe('the hunks between two texts', () => {
  it('produce the new text if all are accepted, and the old text if none is', () => {
    fc.assert(
      fc.property(texts(), texts(), (before, after) => {
        const hunks = hunksBetween(before, after);
        assert.equal(withHunks(before, hunks), after);
        assert.equal(withHunks(before, []), before);
      }),
    );
  });

  it('are empty for equal texts', () => {
    fc.assert(fc.property(texts(), (text) => assert.deepEqual(hunksBetween(text, text), [])));
  });

  it('are one change from the first different line to the last one if the difference is larger than the limit', () => {
    assert.equal(hunksBetween('a\nb\nc\nd\ne\n', 'a\nB\nc\nD\ne\n').length, 2);
    assert.deepEqual(hunksBetween('a\nb\nc\nd\ne\n', 'a\nB\nc\nD\ne\n', 1), [
      { start: 1, oldLines: ['b\n', 'c\n', 'd\n'], newLines: ['B\n', 'c\n', 'D\n'] },
    ]);
    fc.assert(
      fc.property(texts(), texts(), (before, after) => {
        assert.equal(withHunks(before, hunksBetween(before, after, 1)), after);
      }),
    );
  });

  it('are one change if a function is added before or after blank lines', () => {
    const one = 'class A:\n    def one(self):\n        x()\n';
    const two = '\n    def two(self):\n        y()\n';
    const end = '\n\nclass B:\n    pass\n';
    assert.equal(hunksBetween(one + end, one + two + end).length, 1);
    assert.equal(hunksBetween(one + two + end, one + end).length, 1);
  });

  it('are separated by unchanged lines', () => {
    fc.assert(
      fc.property(texts(), texts(), (before, after) => {
        const hunks = hunksBetween(before, after);
        for (const [index, { start, oldLines }] of hunks.entries()) {
          const next = hunks[index + 1];
          if (next !== undefined) assert.ok(start + oldLines.length < next.start);
        }
      }),
    );
  });
});
