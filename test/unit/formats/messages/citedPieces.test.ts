import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { PlacedCitation } from '../../../../src/formats/conversation.ts';
import { piecesOf } from '../../../../src/formats/messages/citations.ts';

function cited(start: number, end: number): PlacedCitation {
  return { citation: { url: `https://example.com/${start}-${end}` }, span: { start, end } };
}

describe('the segments of a text with citations', () => {
  it('begin and end where citations do, even if these overlap', () => {
    const [one, two] = [cited(0, 8), cited(4, 13)];
    assert.deepEqual(piecesOf('one, two, three', [one, two]), [
      { text: 'one,', citations: [one] },
      { text: ' two', citations: [one, two] },
      { text: ', thr', citations: [two] },
      { text: 'ee', citations: [] },
    ]);
  });

  it('are the whole text if a citation has no span', () => {
    const whole: PlacedCitation = { citation: { title: 'Tides' } };
    assert.deepEqual(piecesOf('all of it', [whole]), [{ text: 'all of it', citations: [whole] }]);
    assert.deepEqual(piecesOf('', [whole]), []);
  });

  it('keep all of the text, contain visible characters, and keep the citations', () => {
    const span = fc.tuple(fc.integer({ min: -3, max: 40 }), fc.integer({ min: -3, max: 40 }));
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), fc.array(span, { maxLength: 5 }), (text, spans) => {
        const citations = spans.map(([start, end]) => cited(start, end));
        const pieces = piecesOf(text, citations);
        assert.equal(pieces.map((piece) => piece.text).join(''), text.trim() === '' ? '' : text);
        for (const piece of pieces) {
          assert.notEqual(piece.text.trim(), '');
          for (const each of piece.citations) assert.ok(citations.includes(each));
        }
      }),
    );
  });
});
