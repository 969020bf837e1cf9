import assert from 'node:assert/strict';
import fc from 'fast-check';
import { codeOf, messageOf } from '../../../../src/chat/codeCommands/answerCode.ts';

describe('the code in an answer', () => {
  it('is the content of its fenced block, whatever the text around it', () => {
    assert.equal(codeOf('Here it is:\n\n```ts\nconst a = 1;\n\n  b();\n```\nDone.'), 'const a = 1;\n\n  b();');
    assert.equal(codeOf('~~~\r\none\r\n~~~'), 'one');
  });

  it('is the longest block if there are several', () => {
    assert.equal(codeOf('```sh\nnpm test\n```\n```ts\nconst longer = true;\n```'), 'const longer = true;');
  });

  it('extends to the end if the closing fence is missing', () => {
    assert.equal(codeOf('```ts\none\ntwo'), 'one\ntwo');
  });

  it('is undefined if the answer is only prose', () => {
    assert.equal(codeOf('Use `const` here.'), undefined);
    assert.equal(codeOf(''), undefined);
  });

  it('is extracted from a fence that is longer than any inside, for any code', () => {
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

describe('a generated commit message', () => {
  it('is used verbatim, without surrounding whitespace', () => {
    assert.equal(messageOf('\nAdd a test\n\nIt says why.\n'), 'Add a test\n\nIt says why.');
  });

  it('is stripped of a fence around all of it', () => {
    assert.equal(messageOf('```text\nAdd a test\n```'), 'Add a test');
  });
});
