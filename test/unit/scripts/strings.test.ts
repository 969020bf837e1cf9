import assert from 'node:assert/strict';
import { compareStrings } from '../../../scripts/lib/strings.ts';
import { stringsOfSources } from '../../../scripts/lib/stringsOfSources.ts';

describe('The string check', () => {
  it('accepts a complete translation, whatever the order of its placeholders', () => {
    assert.deepEqual(compareStrings({ '{0} of {1}': '{0} of {1}' }, { '{0} of {1}': '共 {1}，剩 {0}' }), []);
  });

  it('reports missing and unused keys, and keys with different placeholders', () => {
    const problems = compareStrings(
      { 'New key': 'New key', '{0} left': '{0} left' },
      { Old: 'Alt', '{0} left': 'übrig' },
    );
    assert.deepEqual(problems, [
      'is missing "New key"',
      'has "Old", which nothing uses',
      'has other placeholders than "{0} left"',
    ]);
  });

  it('finds the status bar texts in the sources', async () => {
    assert.equal((await stringsOfSources('src/editor/balance'))['Set Service Key'], 'Set Service Key');
  });
});
