import assert from 'node:assert/strict';
import { compareStrings } from '../../../scripts/lib/strings.ts';
import { stringsOfSources } from '../../../scripts/lib/stringsOfSources.ts';

describe('The check of strings', () => {
  it('finds nothing wrong with a whole translation, whatever the order of its placeholders', () => {
    assert.deepEqual(compareStrings({ '{0} of {1}': '{0} of {1}' }, { '{0} of {1}': '共 {1}，剩 {0}' }), []);
  });

  it('names keys that are missing, left over, or have other placeholders', () => {
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

  it('finds the words of the status bar in the sources', async () => {
    assert.equal((await stringsOfSources('src/editor/balance'))['Set up Model Access'], 'Set up Model Access');
  });
});
