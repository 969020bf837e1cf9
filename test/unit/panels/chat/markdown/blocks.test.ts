import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Split, splitBlocks, splitComplete } from '../../../../../src/panels/chat/markdown/blocks.ts';

const SAMPLE = [
  '# Plan',
  'First, **this**.\nThen that.',
  '1. One\n\n   ```ts\n   const a = 1;\n   ```\n\n2. Two',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '```py\nprint(1)\n\nprint(2)\n```',
  '> quoted\n> twice',
  'Setext\n------',
  '<details>\n<summary>More</summary>\n\ntext\n\n</details>',
  '- a\n- b\n\n    indented',
  'The end.',
].join('\n\n');

/** Markdown sources, and the pieces in which they arrive. */
const source = fc
  .array(
    fc.constantFrom(
      ...SAMPLE.split('\n\n'),
      '\n\n',
      '\n',
      '```',
      '- ',
      '    ',
      'word ',
      '`',
      '**',
      '|',
      '> ',
      '1. ',
      '\t',
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

function stream(text: string, sizes: readonly number[]): Split {
  let split = splitBlocks('');
  let end = 0;
  for (let step = 0; end < text.length; step += 1) {
    end = Math.min(text.length, end + (sizes[step % sizes.length] ?? 1));
    split = splitBlocks(text.slice(0, end), split);
  }
  return split;
}

const shape = ({ blocks }: Split) => blocks.map(({ raw, token }) => [raw, token.type]);

describe('the blocks of a streaming Markdown source', () => {
  it('have a replacement for half a character, until its other half arrives', () => {
    const half = splitBlocks('One \ud83d');
    const whole = splitBlocks('One \ud83d\ude00', half);
    assert.deepEqual([shape(half), shape(whole)], [[['One \ufffd', 'paragraph']], [['One \u{1f600}', 'paragraph']]]);
  });

  it('contain every word, in order', () => {
    const words = (text: string) => text.match(/[a-z\d]+/gi) ?? [];
    fc.assert(
      fc.property(source, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (text, sizes) => {
        const split = stream(text, sizes);
        assert.deepEqual(words(split.blocks.map(({ raw }) => raw).join('')), words(text));
      }),
    );
  });

  it('equal those of the whole source once it is complete, however it arrived', () => {
    fc.assert(
      fc.property(source, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (text, sizes) => {
        assert.deepEqual(shape(splitComplete(text, stream(text, sizes))), shape(splitBlocks(text)));
      }),
    );
  });

  it('already equal those of the whole source while an ordinary answer streams', () => {
    assert.deepEqual(shape(stream(SAMPLE, [7])), shape(splitBlocks(SAMPLE)));
  });

  it('keep their identity once two more blocks have begun', () => {
    const first = splitBlocks('One.\n\nTwo.\n\nThree.');
    const second = splitBlocks('One.\n\nTwo.\n\nThree.\n\nFour.', first);
    assert.equal(second.blocks[0], first.blocks[0]);
    assert.equal(second.blocks[1], first.blocks[1]);
  });

  it('keep their identity when the answer is complete', () => {
    const streamed = stream(SAMPLE, [11]);
    const complete = splitComplete(SAMPLE, streamed);
    assert.deepEqual(
      complete.blocks.map((block, index) => block === streamed.blocks[index]),
      complete.blocks.map(() => true),
    );
  });

  it('join a list whose next item follows a blank line', () => {
    const split = stream('- a\n\n- b\n\ntext', [1]);
    assert.deepEqual(
      split.blocks.map(({ token }) => token.type),
      ['list', 'paragraph'],
    );
  });

  it('are rebuilt for a different source', () => {
    const split = splitBlocks('Other.', splitBlocks('One.\n\nTwo.\n\nThree.\n\nFour.'));
    assert.deepEqual(shape(split), [['Other.', 'paragraph']]);
  });

  it('resolve links that are defined further down once the source is complete', () => {
    const text = 'See [it].\n\nMore.\n\nStill more.\n\n[it]: https://example.com';
    const [first] = splitComplete(text, stream(text, [5])).blocks;
    assert.ok(first?.token.type === 'paragraph');
    assert.ok(first.token.tokens?.some(({ type }) => type === 'link'));
  });

  it('keep their identity beside definitions if they cannot contain links', () => {
    const text = `[it]: https://example.com\n\n${'word '.repeat(20_000)}\n\n\`\`\`\n[it]\n\`\`\`\n\n[it]`;
    const streamed = stream(text, [60_000]);
    const same = splitComplete(text, streamed).blocks.map(
      (block, index) => [block.token.type, block === streamed.blocks[index]] as const,
    );
    assert.ok(same.some(([type]) => type === 'plain') && same.some(([type]) => type === 'code'));
    assert.deepEqual(
      same.filter(([, isSame]) => !isSame).map(([type]) => type),
      ['paragraph'],
    );
  });

  it('treat all line endings alike', () => {
    assert.deepEqual(shape(splitBlocks('a\r\n\r\nb\rc')), shape(splitBlocks('a\n\nb\nc')));
  });
});
