import assert from 'node:assert/strict';
import { drawReplyOf } from '../../../../../src/panels/chat/markdown/diagram/drawReply.ts';

describe('what the frame of a diagram replies', () => {
  const drawing = { id: 1, svg: '<svg/>', width: 10, height: 20, words: ['A'] };

  it('is a drawing, or what is wrong with the diagram', () => {
    assert.deepEqual(drawReplyOf(drawing, 1), drawing);
    assert.deepEqual(drawReplyOf({ id: 1, problem: 'No.' }, 1), { id: 1, problem: 'No.' });
  });

  it('is dropped if it is anything else, since a diagram may have taken over the frame', () => {
    const others = [
      ...[null, undefined, 7, 'ready', [], {}, { ready: true }, { ...drawing, id: 2 }, { ...drawing, id: '1' }],
      ...[
        { ...drawing, svg: null },
        { ...drawing, svg: { length: 1 } },
        { ...drawing, svg: 'x'.repeat(10_000_001) },
      ],
      ...[
        { ...drawing, width: '1' },
        { ...drawing, width: Number.NaN },
        { ...drawing, height: 1e9 },
      ],
      ...[
        { ...drawing, height: -1 },
        { id: 1, problem: 5 },
      ],
    ];
    for (const data of others) assert.equal(drawReplyOf(data, 1), undefined);
  });

  it('has only texts, and not too many or too long ones', () => {
    const words = [{}, null, 'a'.repeat(1000), ...Array.from({ length: 1000 }, () => 'b')];
    const reply = drawReplyOf({ ...drawing, words }, 1);
    assert.ok(reply !== undefined && 'words' in reply);
    assert.ok(reply.words.length <= 200 && reply.words.every((word) => word.length <= 200));
    assert.deepEqual(drawReplyOf({ ...drawing, words: 'A' }, 1), { ...drawing, words: [] });
  });
});
