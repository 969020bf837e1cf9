import assert from 'node:assert/strict';
import fc from 'fast-check';
import { WordSearch } from '../../../../src/gateway/http/wordSearch.ts';

describe('the word search', () => {
  it('finds every occurrence', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'm', '"', 'q', 'ü'), maxLength: 60 });
    const words = fc.string({ unit: fc.constantFrom('a', 'm', '"', 'q', 'ü'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(letters, words, (text, word) => {
        const bytes = Buffer.from(text + word + text);
        const found: number[] = [];
        new WordSearch(word).isIn(bytes, (start, end) => {
          assert.equal(bytes.toString('utf8', start, end), word);
          found.push(start);
          return false;
        });
        const expected: number[] = [];
        for (let at = bytes.indexOf(word); at !== -1; at = bytes.indexOf(word, at + 1)) expected.push(at);
        assert.deepEqual(found, expected);
        const search = new WordSearch(word);
        for (let from = 0; from <= bytes.length; from++) {
          assert.equal(search.indexIn(bytes, from), bytes.indexOf(word, from));
          const end = bytes.subarray(0, from).lastIndexOf(word);
          assert.equal(search.lastIndexIn(bytes, from), end);
        }
      }),
    );
  });

  it('finds the word after thousands of places with a part of it', () => {
    const before = 'am"ream"'.repeat(3000);
    assert.equal(new WordSearch('"stream"').indexIn(Buffer.from(`${before}"stream"`)), before.length);
    assert.equal(new WordSearch('"stream"').indexIn(Buffer.from(before)), -1);
  });

  it('ends with the first accepted occurrence', () => {
    const asked: number[] = [];
    const accepts = (start: number) => asked.push(start) === 2;
    assert.equal(new WordSearch('tool').isIn(Buffer.from('a tool, a tool, a tool'), accepts), true);
    assert.deepEqual(asked, [2, 10]);
  });
});
