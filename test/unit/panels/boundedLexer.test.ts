import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Token, Tokens } from 'marked';
import { splitComplete } from '../../../src/panels/chat/markdown/blocks.ts';
import { plainPieces } from '../../../src/panels/chat/markdown/boundedLexer.ts';
import { pathsIn } from '../../../src/panels/chat/markdown/filePaths.ts';
import { lexMarkdown } from '../../../src/panels/chat/markdown/syntax.ts';
import { WorkMeter } from '../../../src/panels/chat/markdown/workMeter.ts';
import { highlight } from '../../../src/panels/shared/highlight.ts';
import { hardMarkdown } from '../../support/hardMarkdown.ts';

const LENGTH = 200_000;
const LIMIT = 5_000_000;

const HARD = hardMarkdown(LENGTH);

function depthOf(tokens: readonly Token[]): number {
  const inner = (token: Token) => [
    ...('tokens' in token ? (token.tokens ?? []) : []),
    ...(token.type === 'list' ? (token as Tokens.List).items : []),
  ];
  return 1 + Math.max(0, ...tokens.map((token) => depthOf(inner(token))));
}

describe('the limits on parsing Markdown', () => {
  for (const [name, source] of Object.entries(HARD)) {
    it(`apply to ${name} without losing content`, () => {
      const meter = new WorkMeter(LIMIT);
      const tokens = lexMarkdown(source, meter);
      assert.ok(meter.spent <= LIMIT, `${meter.spent} units`);
      assert.ok(depthOf(tokens.slice(0, 100)) < 100);
      const shown = tokens.map(({ raw }) => raw).join('');
      assert.equal(shown.replace(/\s/g, '').length, source.replace(/\s/g, '').length);
    });
  }

  it('do not affect an ordinary answer of 100 KB', () => {
    const page = readFileSync(new URL('../../../docs/gateway-reference.md', import.meta.url), 'utf8');
    const source = page.repeat(Math.ceil(100_000 / page.length));
    const meter = new WorkMeter();
    const tokens = lexMarkdown(source, meter);
    assert.deepEqual(
      tokens.filter(({ type }) => type === 'plain'),
      [],
    );
    assert.ok(meter.spent < LIMIT, `${meter.spent} units`);
  });

  it('affect text of more than 50,000 characters without a blank line', () => {
    const kinds = (length: number) => lexMarkdown('word '.repeat(length / 5)).map(({ type }) => type);
    assert.deepEqual([kinds(49_000), kinds(51_000)], [['paragraph'], ['plain']]);
  });

  it('affect only one paragraph, not the text around it', () => {
    const tokens = lexMarkdown(`before **b**\n\n${'*a_'.repeat(3000)}\n\nafter **b**`);
    const inline = (index: number) =>
      (tokens.filter(({ type }) => type === 'paragraph')[index] as Tokens.Paragraph).tokens;
    assert.deepEqual(
      [inline(0), inline(2)].map((parts) => parts.map(({ type }) => type)),
      [
        ['text', 'strong'],
        ['text', 'strong'],
      ],
    );
  });

  it('count table cells before they are split, including empty ones', () => {
    const table = `|a|b|\n|-|-|\n${'||\n'.repeat(1900)}\n`;
    const tables = lexMarkdown(table.repeat(100)).filter(({ type }) => type === 'table');
    assert.ok(tables.length > 0 && tables.length < 5, `${tables.length} tables`);
    const small = '|a|b|\n|-|-|\n|c|d|\n\n';
    assert.equal(lexMarkdown(small.repeat(500)).filter(({ type }) => type === 'table').length, 500);
  });

  it('count the drawn size of formulas', () => {
    const drawn = (formula: string, times: number) =>
      lexMarkdown(`${formula}\n\n`.repeat(times)).filter(({ type }) => type === 'mathBlock').length;
    assert.equal(drawn('$$\\frac{a_1}{b_1}$$', 500), 500);
    assert.ok(drawn(`$$${'x'.repeat(1900)}$$`, 500) < 70);
    assert.ok(drawn(`$$\\begin{matrix}${'&'.repeat(1900)}\\end{matrix}$$`, 500) < 15);
  });

  it('split text over the limits into pieces that contain all of it', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 9000 }), { maxLength: 5 }), (lines) => {
        const source = lines.join('\n');
        const pieces = plainPieces(source);
        assert.equal(pieces.join(''), source);
        assert.ok(pieces.every(({ length }) => length <= 8001));
      }),
    );
    const { blocks } = splitComplete('> '.repeat(100_000));
    assert.ok(blocks.every(({ raw }) => raw.length <= 40_000));
  });

  it('skip words that are longer than a path', () => {
    assert.deepEqual(pathsIn('+~/'.repeat(20_000)), []);
    assert.deepEqual(
      pathsIn(`${'a.b/'.repeat(200)} src/a.ts:3`).map(({ path }) => path),
      ['src/a.ts'],
    );
  });
});

describe('the limits on highlighting code', () => {
  it('leave long code and long lines plain', () => {
    assert.equal(highlight('a'.repeat(600), 'java'), undefined);
    assert.equal(highlight('[a]('.repeat(200), 'markdown'), undefined);
    assert.equal(highlight('const a = 1;\n'.repeat(4000), 'ts'), undefined);
  });

  it('leave code plain if highlighting its prefixes takes ever longer', () => {
    // A clock that advances with the square of the length that is read.
    const times = [0, 1, 1, 10, 10, 100];
    assert.equal(
      highlight('const a = 1;\n'.repeat(1000), 'ts', () => times.shift() ?? assert.fail('It went on.')),
      undefined,
    );
  });

  it('do not affect ordinary code', () => {
    assert.match(highlight('const a = 1;\n'.repeat(1000), 'ts', () => 0) ?? '', /hljs-keyword/);
  });
});

describe('a work meter', () => {
  it('lets a run spend its share and no more', () => {
    const meter = new WorkMeter(100, 40);
    meter.beginRun();
    assert.deepEqual([meter.spendInRun(30), meter.spendInRun(20), meter.spendInRun(10)], [true, false, true]);
    meter.beginRun();
    assert.equal(meter.spendInRun(40), true);
    assert.equal(meter.spend(30), false);
    assert.equal(meter.spend(20), true);
    assert.equal(meter.spent, 100);
  });
});
