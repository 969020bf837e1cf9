import assert from 'node:assert/strict';
import { answer, user } from '../../../../../src/panels/chat/gallery/samples.ts';
import { roughHeight } from '../../../../../src/panels/chat/roughHeight.ts';
import { firstDrawnAtOnce } from '../../../../../src/panels/chat/thread/lateDrawing.ts';

function conversation(count: number, characters: number) {
  return Array.from({ length: count }, (_, index) => [
    user(`u${index}`, 'Why?'),
    answer(`b${index}`, 'x'.repeat(characters)),
  ]).flat();
}

describe('what of a conversation is drawn at once', () => {
  it('is all of a short one', () => {
    assert.equal(firstDrawnAtOnce([]), 0);
    assert.equal(firstDrawnAtOnce(conversation(3, 100)), 0);
  });

  it('is as much of the end of a long one as a panel shows', () => {
    assert.equal(firstDrawnAtOnce(conversation(50, 2000)), 95);
  });

  it('is the last question and answer, however long they are', () => {
    assert.equal(firstDrawnAtOnce(conversation(5, 100_000)), 8);
  });
});

describe('the height of a text that is not drawn', () => {
  it('grows with its lines and with its length', () => {
    assert.ok(roughHeight('a\nb\nc\nd') > roughHeight('a'));
    assert.ok(roughHeight('word '.repeat(200)) > roughHeight('word '.repeat(20)));
  });
});
