import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hunksBetween } from '../../../../src/chat/review/hunks.ts';
import { rebased } from '../../../../src/chat/review/rebasedHunks.ts';

/** Texts with few different lines, so that many of them are equal. */
function texts(): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom('one\n', 'two\n', 'three\n', '\n', '}\n'), { maxLength: 12 })
    .map((lines) => lines.join(''));
}

describe('changes that are applied to an edited text', () => {
  it('lead to the text that they were found in if nothing was edited', () => {
    fc.assert(
      fc.property(texts(), texts(), (from, to) => {
        assert.deepEqual(rebased(hunksBetween(from, to), from, from), { text: to, rejected: [] });
      }),
    );
  });

  it('keep the lines that were added at the beginning and the end', () => {
    fc.assert(
      fc.property(texts(), texts(), (from, to) => {
        const [first, last] = ['own first\n', 'own last\n'];
        const { text } = rebased(
          hunksBetween(`a\n${from}z\n`, `a\n${to}z\n`),
          `a\n${from}z\n`,
          `${first}a\n${from}z\n${last}`,
        );
        assert.equal(text, `${first}a\n${to}z\n${last}`);
      }),
    );
  });

  it('are rejected where the same lines were edited, and change nothing there', () => {
    const from = 'a\nb\nc\nd\n';
    const { text, rejected } = rebased(hunksBetween(from, 'a\nB\nc\nD\n'), from, 'a\nown\nc\nd\n');
    assert.equal(text, 'a\nown\nc\nD\n');
    assert.deepEqual(
      rejected.map(({ newLines }) => newLines),
      [['B\n']],
    );
  });
});
