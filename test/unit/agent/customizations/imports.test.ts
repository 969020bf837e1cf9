import assert from 'node:assert/strict';
import { importsIn } from '../../../../src/agent/customizations/imports.ts';

const pathsIn = (text: string) => importsIn(text).map(({ path }) => path);

describe('the imports of instructions for Claude Code', () => {
  it('are paths behind a mark, with their lines', () => {
    const text = '# Rules\n\nSee @README.md and @docs/style\\ guide.md.\n- @~/.claude/mine.md\n@/etc/team.md#part';
    assert.deepEqual(importsIn(text), [
      { path: 'README.md', line: 3 },
      { path: 'docs/style guide.md', line: 3 },
      { path: '~/.claude/mine.md', line: 4 },
      { path: '/etc/team.md', line: 5 },
    ]);
  });

  it('are none in code blocks, code in a line, comments, and addresses', () => {
    const text = [
      '```sh',
      'cat @a.md',
      '```',
      '  ~~~',
      '  @b.md',
      '  ~~~~',
      'Run `npm i @scope/c` or ``x `@d.md` y``.',
      '<!-- @e.md',
      '@f.md -->',
      'Ask me@example.com or (@g.md).',
    ];
    assert.deepEqual(pathsIn(text.join('\n')), []);
    assert.deepEqual(pathsIn('```\n@a.md\n```\n@b.md'), ['b.md']);
    assert.deepEqual(pathsIn('> ```\n> @a.md\n> ```\n\n@b.md'), ['b.md']);
    assert.deepEqual(pathsIn('It never ends: ```\n@a.md'), ['a.md']);
    assert.deepEqual(pathsIn('```\n@a.md'), []);
  });

  it('are found in no time in a text that is made to be slow', () => {
    const runs = Array.from({ length: 400 }, (_, length) => `${'`'.repeat(length + 1)} x`).join(' ');
    for (const slow of ['`'.repeat(100_000), '<!--'.repeat(50_000), runs, '```\n'.repeat(30_001), ' @"'.repeat(50_000)])
      assert.equal(pathsIn(`@a.md ${slow}`)[0], 'a.md');
  });

  it('may be written as on Windows, in quotation marks, and with escapes', () => {
    const text = String.raw`@C:\Users\me\rules.md @D:/team/a.md @..\b.md @~\c.md, @docs\my\_d.md @my\ e.md
- @"with space/f.md" @".\g h.md".
@i.md\
@j.md`;
    assert.deepEqual(pathsIn(text), [
      ...['C:/Users/me/rules.md', 'D:/team/a.md', '../b.md', '~/c.md', 'docs/my_d.md', 'my e.md'],
      ...['with space/f.md', './g h.md', 'i.md', 'j.md'],
    ]);
  });

  it('end before what ends a sentence', () => {
    assert.deepEqual(pathsIn('Read **@AGENTS.md**, "@x.md"\n@docs/a.md, @docs/b.md; @./c'), [
      'docs/a.md',
      'docs/b.md',
      './c',
    ]);
    assert.deepEqual(pathsIn('**Always** @AGENTS.md**'), ['AGENTS.md']);
  });
});
