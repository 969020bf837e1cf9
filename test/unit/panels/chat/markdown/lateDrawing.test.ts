import assert from 'node:assert/strict';
import { firstDrawnAtOnce } from '../../../../../src/panels/chat/markdown/lateDrawing.ts';
import { roughHeight } from '../../../../../src/panels/chat/roughHeight.ts';
import { answer, user } from '../../../../gallery/chat/samples.ts';

function conversation(count: number, characters: number) {
  return Array.from({ length: count }, (_, index) => [
    user(`u${index}`, 'Why?'),
    answer(`b${index}`, 'x'.repeat(characters)),
  ]).flat();
}

describe('the turns of a conversation that are rendered immediately', () => {
  it('are all turns of a short one', () => {
    assert.equal(firstDrawnAtOnce([]), 0);
    assert.equal(firstDrawnAtOnce(conversation(3, 100)), 0);
  });

  it('fill one panel at the end of a long one', () => {
    assert.equal(firstDrawnAtOnce(conversation(50, 2000)), 95);
  });

  it('include the last question and answer, whatever their length', () => {
    assert.equal(firstDrawnAtOnce(conversation(5, 100_000)), 8);
  });
});

describe('the estimated height of text that is not rendered', () => {
  it('grows with the number of lines and the length', () => {
    assert.ok(roughHeight('a\nb\nc\nd') > roughHeight('a'));
    assert.ok(roughHeight('word '.repeat(200)) > roughHeight('word '.repeat(20)));
  });
});
