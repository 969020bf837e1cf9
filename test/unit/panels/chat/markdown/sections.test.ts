import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type MarkdownBlock, sectionsOf } from '../../../../../src/panels/chat/markdown/blocks.ts';

function block(raw: string): MarkdownBlock {
  return { raw, token: { type: 'paragraph', raw } };
}

const blocks = fc.array(fc.integer({ min: 1, max: 2000 }).map((length) => block('x'.repeat(length))));

describe('the sections of an answer', () => {
  it('contain all blocks in order', () => {
    fc.assert(
      fc.property(blocks, (all) => {
        assert.deepEqual(
          sectionsOf(all).flatMap((section) => section.blocks),
          all,
        );
      }),
    );
  });

  it('are unchanged when blocks are added at the end', () => {
    fc.assert(
      fc.property(blocks, blocks, (first, more) => {
        const before = sectionsOf(first);
        const after = sectionsOf([...first, ...more], before);
        for (const [index, section] of before.slice(0, -1).entries()) assert.equal(after[index], section);
      }),
    );
  });

  it('are rebuilt if one of their blocks or the preceding block is new', () => {
    const all = [block('a'.repeat(1300)), block('b'.repeat(1300)), block('c')];
    const before = sectionsOf(all);
    const after = sectionsOf(all.with(0, block('d'.repeat(1300))), before);
    assert.notEqual(after[0], before[0]);
    assert.notEqual(after[1], before[1]);
    assert.equal(after[2], before[2]);
  });

  it('end with the block that reaches the maximum length', () => {
    const all = Array.from({ length: 40 }, (_, index) => block(`${index} `.repeat(100)));
    for (const section of sectionsOf(all)) {
      const length = section.blocks.slice(0, -1).reduce((sum, { raw }) => sum + raw.length, 0);
      assert.ok(length < 1200, `${length} before its last block`);
    }
  });
});
