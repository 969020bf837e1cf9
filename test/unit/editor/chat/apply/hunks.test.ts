import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ChangeReview, type Decision } from '../../../../../src/editor/chat/apply/changeReview.ts';
import { hunksBetween, withHunks } from '../../../../../src/editor/chat/apply/hunks.ts';

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

const BEFORE = 'a\nb\nc\nd\ne\nf\ng\n';
const AFTER = 'a\nB\nBB\nc\nd\nf\nG\n';

describe('a review of changes', () => {
  it('shows the old text and the proposal before any decision', () => {
    const review = new ChangeReview(BEFORE, AFTER);
    assert.equal(review.count, 3);
    assert.equal(review.text('before'), BEFORE);
    assert.equal(review.text('after'), AFTER);
  });

  it('shows an accepted change on both sides, and a discarded change on neither', () => {
    const review = new ChangeReview(BEFORE, AFTER);
    const [first, second] = review.open;
    assert.ok(first && second);
    review.decide(first, 'accepted');
    review.decide(second, 'discarded');
    assert.equal(review.text('before'), 'a\nB\nBB\nc\nd\ne\nf\ng\n');
    assert.equal(review.text('after'), 'a\nB\nBB\nc\nd\ne\nf\nG\n');
  });

  it('finds the change at a line on either side, or else the next, or else the last', () => {
    const review = new ChangeReview(BEFORE, AFTER);
    const [first, second, third] = review.open;
    assert.equal(review.openAt('after', 0), first);
    assert.equal(review.openAt('after', 2), first);
    assert.equal(review.openAt('after', 3), second);
    assert.equal(review.openAt('before', 4), second);
    assert.equal(review.openAt('before', 6), third);
    assert.equal(review.openAt('after', 99), third);
    review.decideRest('discarded');
    assert.equal(review.openAt('after', 0), undefined);
  });

  it('ends with the old text plus the accepted changes, in any order of decisions', () => {
    const decisions = fc.array(fc.tuple(fc.nat(), fc.constantFrom<Decision>('accepted', 'discarded')));
    fc.assert(
      fc.property(
        texts(),
        texts(),
        decisions,
        fc.constantFrom<Decision>('accepted', 'discarded'),
        (before, after, steps, rest) => {
          const review = new ChangeReview(before, after);
          for (const [place, decision] of steps) {
            const { open } = review;
            const hunk = open[place % Math.max(1, open.length)];
            if (hunk === undefined) break;
            assert.equal(review.openAt('after', review.startOn('after', hunk)), hunk);
            review.decide(hunk, decision);
          }
          review.decideRest(rest);
          assert.equal(review.text('before'), review.text('after'));
          assert.equal(review.text('before'), withHunks(before, review.accepted));
        },
      ),
    );
  });
});
