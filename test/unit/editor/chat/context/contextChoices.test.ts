import assert from 'node:assert/strict';
import { pathChoices } from '../../../../../src/editor/chat/context/contextChoices.ts';

describe('a folder in the list that @ opens', () => {
  const paths = ['src/', 'src/a.ts', 'src/b.ts', 'src/c.ts', 'README.md'];

  it('has the number of all its files, also of one that is listed as the current file', () => {
    const [folder, ...others] = pathChoices('src', paths, ['src/b.ts', undefined]);
    assert.equal(folder?.detail, '3 files');
    assert.deepEqual(
      others.map(({ label }) => label),
      ['a.ts', 'c.ts'],
    );
  });
});
