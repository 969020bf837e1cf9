import assert from 'node:assert/strict';
import type { DiffLine } from '../../../../src/pages/chat/protocol.ts';
import { coloredLines } from '../../../../src/panels/agentReview/lineMarkup.ts';
import { highlight } from '../../../../src/panels/shared/highlight.ts';

const LINES: readonly DiffLine[] = [
  { kind: 'same', text: '/* One', old: 1, new: 1 },
  { kind: 'removed', text: 'const old = "a < b";', old: 2 },
  { kind: 'added', text: '   two */', new: 2 },
  { kind: 'added', text: 'const fresh = 1;', new: 3 },
];

describe('the colors of reviewed lines', () => {
  it('are those of the text before and after the change, also of a comment over several lines', () => {
    const [first, removed, second, added] = coloredLines(LINES, 'a.ts', highlight);
    assert.equal(first, '<span class="hljs-comment">/* One</span>');
    assert.equal(second, '<span class="hljs-comment">   two */</span>');
    assert.match(removed ?? '', /<span class="hljs-string">&quot;a &lt; b&quot;<\/span>;$/);
    assert.match(added ?? '', /^<span class="hljs-keyword">const<\/span>/);
  });

  it('are missing for an unknown language, and if there are no lines', () => {
    assert.deepEqual(coloredLines(LINES, 'a.unknown', highlight), [undefined, undefined, undefined, undefined]);
    assert.deepEqual(coloredLines([], 'a.ts', highlight), []);
  });
});
