import assert from 'node:assert/strict';
import fc from 'fast-check';
import { codeOf, messageOf } from '../../../../src/editor/codeCommands/answerCode.ts';

describe('the code of an answer', () => {
  it('is what stands in its fenced block, whatever is said around it', () => {
    assert.equal(codeOf('Here it is:\n\n```ts\nconst a = 1;\n\n  b();\n```\nDone.'), 'const a = 1;\n\n  b();');
    assert.equal(codeOf('~~~\r\none\r\n~~~'), 'one');
  });

  it('is the longest block where there are several', () => {
    assert.equal(codeOf('```sh\nnpm test\n```\n```ts\nconst longer = true;\n```'), 'const longer = true;');
  });

  it('reaches to the end when the last fence is missing', () => {
    assert.equal(codeOf('```ts\none\ntwo'), 'one\ntwo');
  });

  it('is not there when the answer is words alone', () => {
    assert.equal(codeOf('Use `const` here.'), undefined);
    assert.equal(codeOf(''), undefined);
  });

  it('comes back from a fence that is longer than any inside, whatever the code is', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('`', '```', '~~~', '\n', 'a', ' ', '````ts')), (pieces) => {
        const code = pieces.join('');
        const longest = Math.max(2, ...(code.match(/[`~]+/g) ?? []).map((run) => run.length));
        const fence = '`'.repeat(longest + 1);
        assert.equal(codeOf(`Words.\n${fence}ts\n${code}\n${fence}\nMore.`), code);
      }),
    );
  });
});

describe('a commit message', () => {
  it('is taken as it is, without space around it', () => {
    assert.equal(messageOf('\nAdd a test\n\nIt says why.\n'), 'Add a test\n\nIt says why.');
  });

  it('loses a fence around all of it', () => {
    assert.equal(messageOf('```text\nAdd a test\n```'), 'Add a test');
  });
});
