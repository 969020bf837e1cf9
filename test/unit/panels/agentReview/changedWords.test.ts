import assert from 'node:assert/strict';
import type { DiffLine } from '../../../../src/pages/chat/protocol.ts';
import { changedWords } from '../../../../src/panels/agentReview/lineMarkup.ts';

/** The marked words of lines that begin with a sign, by their index. */
function marked(...texts: readonly string[]): readonly (string | undefined)[] {
  const kinds = { '-': 'removed', '+': 'added', ' ': 'same' } as const;
  const lines = texts.map((text): DiffLine => ({ kind: kinds[text.charAt(0) as '-'], text: text.slice(1) }));
  const ranges = changedWords(lines);
  return lines.map(({ text }, index) => {
    const range = ranges.get(index);
    return range && text.slice(...range);
  });
}

describe('changed words within lines', () => {
  it('are what differs between lines that replace each other', () => {
    assert.deepEqual(marked(' a', '-return total(items);', '+return total(items, tax);', ' b'), [
      undefined,
      undefined,
      ', tax',
      undefined,
    ]);
    assert.deepEqual(marked('-const first = 1;', '-let other = two;', '+const first = 2;', '+let other = three;'), [
      '1',
      'two',
      '2',
      'three',
    ]);
  });

  it('are not marked in lines that are added, removed, or have little in common', () => {
    assert.deepEqual(marked('+one(two);'), [undefined]);
    assert.deepEqual(marked('-one();', '+one();', '+two();'), [undefined, undefined, undefined]);
    assert.deepEqual(marked('-import x from y;', '+function other() {'), [undefined, undefined]);
  });
});
