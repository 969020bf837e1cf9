import assert from 'node:assert/strict';
import type { VNode } from 'preact';
import { breakable } from '../../../../../src/panels/chat/markdown/longWords.ts';

function piecesOf(text: string): unknown[] {
  const shown = breakable(text);
  assert.ok(Array.isArray(shown));
  return (shown as VNode<{ children: [string, VNode] }>[]).map(({ props: { children } }) => {
    assert.equal(children[1].type, 'wbr');
    return children[0];
  });
}

describe('text with a word of hundreds of characters', () => {
  it('is split into breakable pieces without losing text', () => {
    const text = `before ${'\\\\'.repeat(4000)} 😀${'😀'.repeat(600)}`;
    const pieces = piecesOf(text);
    assert.equal(pieces.join(''), text);
    assert.ok(pieces.every((piece) => typeof piece === 'string' && piece.length <= 200 && piece.isWellFormed()));
  });

  it('is otherwise unchanged', () => {
    const text = 'the sandbox writes plain words '.repeat(400);
    assert.equal(breakable(text), text);
  });
});
