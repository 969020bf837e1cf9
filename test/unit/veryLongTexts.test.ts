import assert from 'node:assert/strict';
import { replaceLines } from '../../src/chat/apply/proposal.ts';
import { LineIds } from '../../src/chat/apply/similarity.ts';
import { lexMarkdown } from '../../src/panels/chat/markdown/syntax.ts';
import { indentedJson } from '../../src/panels/chat/thread/indentedJson.ts';

/**
 * The engine remembers each character of a run that some patterns take without a limit, and throws a RangeError at some
 * 16 million of them.
 */
const LENGTH = 17_000_000;

describe('a text of 17 million identical characters', () => {
  it('is indented if it is a JSON string with escapes', () => {
    const json = JSON.stringify({ text: '"'.repeat(LENGTH) });
    assert.equal(indentedJson(json)?.length, json.length + '\n  \n '.length);
  });

  it('is handled as one line of code', () => {
    const lines = new LineIds();
    assert.equal(lines.compare('漢'.repeat(LENGTH)).id, 0);
    assert.equal(lines.compare('漢').id, 1);
  });

  it('is removed if it is blank lines before the code', () => {
    const code = `${'\n'.repeat(LENGTH)}  code\n`;
    assert.equal(replaceLines('\n', { start: 0, end: 1 }, code), '  code\n');
  });

  it('is handled as one word of Markdown', () => {
    assert.equal(
      lexMarkdown('a'.repeat(LENGTH))
        .map(({ raw }) => raw)
        .join('').length,
      LENGTH,
    );
  });
});
