import assert from 'node:assert/strict';
import { syntaxOf } from '../../../../src/panels/connectTool/configSyntax.ts';

/** Returns the colored parts as `kind: text`. */
function colored(line: string): string[] {
  return syntaxOf(line).flatMap(({ kind, text }) => (kind === undefined ? [] : [`${kind}: ${text}`]));
}

describe('syntax highlighting of configuration files', () => {
  it('supports TOML', () => {
    assert.deepEqual(colored('model_context_window = 200000 # tokens'), [
      'name: model_context_window',
      'number: 200000',
      'comment: # tokens',
    ]);
    assert.deepEqual(colored('[model_providers.model_access]'), ['section: [model_providers.model_access]']);
    assert.deepEqual(colored('base_url = "http://127.0.0.1:8787/api/v1"'), [
      'name: base_url',
      'string: "http://127.0.0.1:8787/api/v1"',
    ]);
  });

  it('supports JSON with comments', () => {
    assert.deepEqual(colored('    "sendsAll": true, // always'), [
      'name: "sendsAll"',
      'word: true',
      'comment: // always',
    ]);
    assert.deepEqual(colored('  "env": { "A": "x: y", "B": -1.5 }'), [
      'name: "env"',
      'name: "A"',
      'string: "x: y"',
      'name: "B"',
      'number: -1.5',
    ]);
  });

  it('supports YAML', () => {
    assert.deepEqual(colored('  - name: sonnet-4.6'), ['name: name']);
    assert.deepEqual(colored('apiBase: http://127.0.0.1:8787/api'), ['name: apiBase']);
    assert.deepEqual(colored('# by hand'), ['comment: # by hand']);
  });

  it('keeps the text of every line', () => {
    for (const line of [
      '',
      '{',
      '  ["a", \'b',
      '"unclosed \\',
      'x=1',
      `${'"'.repeat(399)}`,
      `${'a.'.repeat(500)}`,
      '\t}',
    ])
      assert.equal(
        syntaxOf(line)
          .map(({ text }) => text)
          .join(''),
        line,
      );
  });
});
