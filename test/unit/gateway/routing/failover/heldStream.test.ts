import assert from 'node:assert/strict';
import { wireFormats } from '../../../../../src/formats/index.ts';
import { HeldStream } from '../../../../../src/gateway/routing/failover/heldAnswer.ts';

const format = wireFormats['chat-completions'];

/** Returns how many of these chunks are held. */
function heldOf(chunks: Iterable<string>): number {
  const stream = new HeldStream(format);
  let count = 0;
  for (const chunk of chunks) {
    if (stream.add(Buffer.from(chunk)) !== undefined) return count;
    count += 1;
  }
  return count;
}

describe('the beginning of a stream that is held back until its upstream answers', () => {
  it('has at most 512 comments, even in one chunk', () => {
    assert.equal(heldOf([':\n\n'.repeat(500), ':\n\n'.repeat(11)]), 2);
    assert.equal(heldOf([':\n\n'.repeat(20_000)]), 0);
  });

  it('has at most 2,048 chunks, so that a long event is not searched for each of its bytes', () => {
    assert.equal(heldOf('data: '.concat('a'.repeat(10_000))), 2_047);
  });
});
