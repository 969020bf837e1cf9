import assert from 'node:assert/strict';
import fc from 'fast-check';
import { reviewBlocks } from '../../../../src/chat/review/reviewBlocks.ts';
import { type TextPair, TextReview } from '../../../../src/chat/review/textReview.ts';

/** Texts with few different lines, so that many of them are equal. */
function texts(): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom('one\n', 'two\n', 'three\n', '\n', '}\n'), { maxLength: 15 })
    .map((lines) => lines.join(''));
}

const BASE = 'a\nb\nc\nd\ne\nf\ng\n';
const CURRENT = 'a\nB\nB2\nc\nd\ne\nF\ng\n';
const PAIR: TextPair = { base: BASE, current: CURRENT };

/** The ID of the open change with this first new line. */
function idOf(review: TextReview, pair: TextPair, line: string): string {
  const found = review.open(pair).find(({ newLines }) => newLines[0] === `${line}\n`);
  assert.ok(found);
  return found.id;
}

describe('the review of a text', () => {
  it('moves accepted changes into the base, and removes discarded ones from the file', () => {
    const review = new TextReview();
    const accepted = review.decide(PAIR, new Set([idOf(review, PAIR, 'B')]), 'accepted');
    assert.deepEqual(accepted, { base: 'a\nB\nB2\nc\nd\ne\nf\ng\n', current: CURRENT });
    const discarded = review.decide(accepted, new Set([idOf(review, accepted, 'F')]), 'discarded');
    assert.deepEqual(discarded, { base: accepted.base, current: accepted.base });
    assert.deepEqual(review.open(discarded), []);
  });

  it('keeps the IDs of the other changes when one is accepted', () => {
    const review = new TextReview();
    const before = idOf(review, PAIR, 'F');
    const after = review.decide(PAIR, new Set([idOf(review, PAIR, 'B')]), 'accepted');
    assert.equal(idOf(review, after, 'F'), before);
  });

  it('undoes decisions from either end', () => {
    fc.assert(
      fc.property(texts(), texts(), fc.infiniteStream(fc.boolean()), (base, current, choices) => {
        const review = new TextReview();
        const next = () => choices.next().value === true;
        let pair: TextPair = { base, current };
        for (const { id } of review.open(pair)) {
          pair = review.decide(pair, new Set([id]), next() ? 'accepted' : 'discarded');
        }
        const ids = review.decided.map(({ id }) => id);
        for (const id of next() ? ids : ids.toReversed()) pair = review.undo(pair, id) ?? assert.fail(id);
        assert.deepEqual(pair, { base, current });
      }),
    );
  });

  it('does not undo what was discarded where the lines were edited', () => {
    const review = new TextReview();
    const id = idOf(review, PAIR, 'F');
    const { base, current } = review.decide(PAIR, new Set([id]), 'discarded');
    assert.equal(review.undo({ base, current: current.replace('f\n', 'own\n') }, id), undefined);
    const moved = review.undo({ base, current: `own\n${current}` }, id);
    assert.equal(moved?.current, `own\n${CURRENT}`);
  });

  it('drops a decision that the base no longer shows, and one whose change was made again', () => {
    const review = new TextReview();
    const accepted = review.decide(PAIR, new Set([idOf(review, PAIR, 'B')]), 'accepted');
    const pair = review.decide(accepted, new Set([idOf(review, accepted, 'F')]), 'discarded');
    review.dropOutdated(pair);
    assert.equal(review.decided.length, 2);
    review.dropOutdated({ base: pair.base, current: pair.current.replace('f\n', 'F\n') });
    assert.deepEqual(
      review.decided.map(({ decision }) => decision),
      ['accepted'],
    );
    review.dropOutdated(PAIR);
    assert.deepEqual(review.decided, []);
  });
});

describe('the parts of a reviewed text', () => {
  it('have the lines around each change, and name how many are between', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `${index + 1}\n`);
    const base = lines.join('');
    const pair = { base, current: base.replace('2\n', 'two\n').replace('\n18\n', '\n') };
    const review = new TextReview();
    const blocks = reviewBlocks(base, review.open(pair), []);
    assert.deepEqual(
      blocks.map((block) => ('lines' in block && Array.isArray(block.lines) ? block.lines.length : block)),
      [1, 2, 3, { type: 'gap', lines: 9 }, 3, 1, 2],
    );
    const [, , , , tail, change] = blocks;
    assert.deepEqual(tail?.type === 'same' && tail.lines[0], { kind: 'same', text: '15', old: 15, new: 15 });
    assert.deepEqual(change?.type === 'change' && change.lines, [{ kind: 'removed', text: '18', old: 18 }]);
  });

  it('show a single line between two changes', () => {
    const base = Array.from({ length: 11 }, (_, index) => `${index + 1}\n`).join('');
    const pair = { base, current: base.replace('2\n', 'two\n').replace('10\n', 'ten\n') };
    const review = new TextReview();
    const types = reviewBlocks(base, review.open(pair), []).map(({ type }) => type);
    assert.deepEqual(types, ['same', 'change', 'same', 'change', 'same']);
  });

  it('show a decided change in one line, at its place', () => {
    const review = new TextReview();
    const pair = review.decide(PAIR, new Set([idOf(review, PAIR, 'B')]), 'accepted');
    const blocks = reviewBlocks(pair.base, review.open(pair), review.decided);
    assert.deepEqual(
      blocks.map(({ type }) => type),
      ['decided', 'same', 'change', 'same'],
    );
    const [decided] = blocks;
    assert.ok(decided?.type === 'decided');
    assert.deepEqual([decided.lines, decided.added, decided.removed], [[2, 3], 2, 1]);
  });

  it('show a part of very long changes and lines', () => {
    const review = new TextReview();
    const pair = { base: '', current: `${'x'.repeat(5000)}\n${'y\n'.repeat(999)}` };
    const [change] = reviewBlocks('', review.open(pair), []);
    assert.ok(change?.type === 'change');
    assert.deepEqual([change.lines.length, change.hidden, change.lines[0]?.text.length], [400, 600, 1001]);
  });
});
