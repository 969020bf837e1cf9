import assert from 'node:assert/strict';
import type { Token, Tokens } from 'marked';
import { splitBlocks, splitComplete } from '../../../../../src/panels/chat/markdown/blocks.ts';
import { type FootnoteToken, lexMarkdown } from '../../../../../src/panels/chat/markdown/syntax.ts';

/** Returns types and sources of the inline tokens of the first block. */
function inline(source: string): (readonly [string, string])[] {
  const tokens = (lexMarkdown(source)[0] as Tokens.Paragraph).tokens;
  return tokens.map(({ type, raw }) => [type, raw] as const);
}

const types = (tokens: readonly Token[]) => tokens.map(({ type }) => type).filter((type) => type !== 'space');

describe('formulas in Markdown', () => {
  it('are inline between dollar signs or \\( and \\)', () => {
    for (const formula of ['$x^2$', '\\(x\\)', '$$x$$', '$\\alpha$', '$5$', '$2 + 2 = 4$']) {
      assert.deepEqual(inline(`Let ${formula} be`)[1], ['math', formula]);
    }
  });

  it('are not recognized in dollar amounts, variables and escapes', () => {
    for (const text of [
      '$5 and $10',
      '$5-$10',
      '$HOME/$USER',
      'it is $5 (or 5$).',
      '\\$x\\$',
      'US$ 5 or US$ 6',
      '$ x $',
    ]) {
      assert.ok(!inline(text).some(([type]) => type === 'math'), text);
    }
  });

  it('are not recognized in code', () => {
    assert.deepEqual(inline('`$x$`'), [['codespan', '`$x$`']]);
    assert.deepEqual(types(lexMarkdown('```sh\n$$\nx\n$$\n```')), ['code']);
  });

  it('are blocks on separate lines, even right after text', () => {
    for (const block of ['$$\nx\n$$', '\\[\nx\n\\]', '$$x$$']) {
      assert.deepEqual(types(lexMarkdown(`Text\n${block}\nmore`)), ['paragraph', 'mathBlock', 'paragraph'], block);
    }
  });

  it('are text until they are closed', () => {
    for (const open of ['$$\n\\frac{1}', 'Let $x^', '\\[ a +', 'and \\(x']) {
      assert.ok(!JSON.stringify(lexMarkdown(open)).includes('"math'), open);
    }
  });
});

describe('footnotes in Markdown', () => {
  const SOURCE = 'One[^1] and two[^note].\n\n[^1]: First *note*\n    goes on.\n[^note]: Second\n';

  it('are references, and notes with their own content', () => {
    const tokens = lexMarkdown(SOURCE);
    assert.deepEqual(types(tokens), ['paragraph', 'footnote', 'footnote']);
    assert.deepEqual(
      inline(SOURCE).filter(([type]) => type === 'footnoteReference'),
      [
        ['footnoteReference', '[^1]'],
        ['footnoteReference', '[^note]'],
      ],
    );
    const note = tokens.find((token): token is FootnoteToken => token.type === 'footnote');
    assert.equal(note?.label, '1');
    assert.deepEqual(types(note?.tokens ?? []), ['paragraph']);
  });
});

describe('blocks of streaming text with formulas, tables and footnotes', () => {
  const TEXT =
    'A $x$ here.\n\n$$\na\n$$\n\n| a | b |\n|---|---|\n| $x$ | 2[^1] |\n\n```mermaid\nflowchart LR\n```\n\n[^1]: Note\n\nEnd.';

  it('keep their identity after two more blocks, and end as if parsed in one piece', () => {
    let split = splitBlocks('');
    const seen = new Map<number, unknown>();
    for (let length = 1; length <= TEXT.length; length += 1) {
      split = splitBlocks(TEXT.slice(0, length), split);
      for (let index = 0; index < split.settled.count; index += 1) {
        const known = seen.get(index);
        if (known !== undefined) assert.equal(split.blocks[index], known);
        seen.set(index, split.blocks[index]);
      }
    }
    assert.deepEqual(types(split.blocks.map(({ token }) => token)), types(lexMarkdown(TEXT)));
    assert.equal(splitComplete(TEXT, split).blocks[0], split.blocks[0]);
    assert.ok(seen.size > 3);
  });
});
