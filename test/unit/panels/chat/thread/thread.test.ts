import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isLong, userParts } from '../../../../../src/panels/chat/thread/userText.ts';
import { nextTurn } from '../../../../../src/panels/chat/turns.ts';

describe('a user message', () => {
  it('is shown verbatim, without Markdown', () => {
    const text = '# include <stdio.h>\n  * not a list\n**nor** bold';
    assert.deepEqual(userParts(text), [{ kind: 'text', text }]);
  });

  it('has its inline code marked', () => {
    assert.deepEqual(userParts('Is `refresh` safe?'), [
      { kind: 'text', text: 'Is ' },
      { kind: 'code', text: 'refresh' },
      { kind: 'text', text: ' safe?' },
    ]);
  });

  it('has separate fenced blocks, including an unclosed one', () => {
    assert.deepEqual(userParts('See\n```ts\nconst a = `b`;\n```\nthere\n~~~\nopen\nend'), [
      { kind: 'text', text: 'See' },
      { kind: 'block', info: 'ts', text: 'const a = `b`;' },
      { kind: 'text', text: 'there' },
      { kind: 'block', info: '', text: 'open\nend' },
    ]);
  });

  it('loses no words', () => {
    const line = fc.constantFrom('word', '`code`', '```', '```js', '~~~', '', '  indented', 'a `half');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const words = (text: string) => text.match(/word|code|indented|half/g) ?? [];
        const shown = userParts(lines.join('\n')).map((part) => part.text);
        assert.deepEqual(words(shown.join('\n')), words(lines.join('\n')));
      }),
    );
  });

  it('is collapsed only if it is long', () => {
    assert.equal(isLong('line\n'.repeat(10)), false);
    assert.equal(isLong('line\n'.repeat(40)), true);
    assert.equal(isLong('x'.repeat(5000)), true);
  });
});

describe('keys for moving between turns', () => {
  it('move up and down and stay within the thread', () => {
    assert.equal(nextTurn('ArrowDown', 0, 3), 1);
    assert.equal(nextTurn('ArrowDown', 2, 3), 2);
    assert.equal(nextTurn('ArrowUp', 0, 3), 0);
    assert.equal(nextTurn('Home', 2, 3), 0);
    assert.equal(nextTurn('End', 0, 3), 2);
  });

  it('do nothing inside a turn or for other keys', () => {
    assert.equal(nextTurn('ArrowDown', -1, 3), -1);
    assert.equal(nextTurn('a', 1, 3), -1);
  });
});
