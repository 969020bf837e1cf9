import assert from 'node:assert/strict';
import type { Token, Tokens } from 'marked';
import { applyMessagesOf, hasCodeForFiles } from '../../../../../src/panels/chat/markdown/codeApplying.ts';
import { isForTerminal } from '../../../../../src/panels/chat/markdown/codeInfo.ts';
import { alertOf, lexMarkdown } from '../../../../../src/panels/chat/markdown/syntax.ts';

describe('an answer with code', () => {
  const ts = '```ts\na();\n```';
  const shell = '```sh\nnpm test\n```';

  it('is applied as a whole only if several of its blocks belong in files', () => {
    assert.equal(hasCodeForFiles(`One:\n\n${ts}`), false);
    assert.equal(hasCodeForFiles(`${ts}\n\n${shell}`), false);
    assert.equal(hasCodeForFiles(`${ts}\n\n~~~py\nb()\n~~~`), true);
    assert.equal(hasCodeForFiles(`${ts}\n\n${'```sh\n#!/bin/sh\nnpm test\n```'}`), true);
  });

  it('never applies commands to a file that is named before them', () => {
    assert.deepEqual(applyMessagesOf(`Run \`test/a.test.ts\`:\n\n${shell}`), []);
  });

  it('has commands for the terminal, unless they are a script', () => {
    for (const info of ['sh', 'bash', 'zsh', 'console', 'powershell', 'cmd'])
      assert.ok(isForTerminal('ls', info), info);
    for (const info of ['ts', '', 'text', 'sh deploy.sh']) assert.ok(!isForTerminal('ls', info), info);
    assert.ok(!isForTerminal('#!/bin/bash\nls', 'bash'));
  });
});

describe('a quote with a mark', () => {
  const read = (text: string) => {
    const [quote] = lexMarkdown(text);
    const alert = alertOf(quote as Tokens.Blockquote);
    return alert && [alert.kind, ...alert.tokens.filter(({ type }) => type !== 'space').map(textOf)];
  };
  const textOf = (token: Token) =>
    ((token as Tokens.Paragraph).tokens as readonly Tokens.Text[]).map(({ text }) => text).join('');

  it('is a box with what follows the mark', () => {
    assert.deepEqual(read('> [!NOTE]\n> Keep **both**.'), ['note', 'Keep both.']);
    assert.deepEqual(read('> [!warning]\n>\n> First.\n>\n> Second.'), ['warning', 'First.', 'Second.']);
    assert.deepEqual(read('> [!TIP] On one line.'), ['tip', 'On one line.']);
    assert.deepEqual(read('> [!CAUTION]'), ['caution']);
  });

  it('stays a quote with another mark or none', () => {
    assert.equal(read('> Keep it.'), undefined);
    assert.equal(read('> [!OTHER]\n> Keep it.'), undefined);
    assert.equal(read('> Not [!NOTE] here.'), undefined);
  });
});
