import assert from 'node:assert/strict';
import { indentedJson } from '../../../../../src/panels/chat/thread/indentedJson.ts';

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('JSON in the panels', () => {
  it('has one property per line', () => {
    assert.equal(indentedJson('{"path":"a.ts","line":3}'), '{\n  "path": "a.ts",\n  "line": 3\n}');
  });

  it('is shown unformatted if it is invalid or incomplete', () => {
    assert.equal(indentedJson('{"path":"a.t'), undefined);
    assert.equal(indentedJson('ls -l'), undefined);
  });

  it('is shown unformatted if it is nested too deeply to indent', () => {
    assert.equal(indentedJson(nested(100_000)), undefined);
    assert.equal(indentedJson(nested(65)), undefined);
    assert.notEqual(indentedJson(nested(64)), undefined);
    assert.notEqual(indentedJson(JSON.stringify({ text: '['.repeat(1_000), more: '\\"[['.repeat(100) })), undefined);
  });
});
