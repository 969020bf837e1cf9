import assert from 'node:assert/strict';
import { pathInComment } from '../../../../../src/editor/chat/apply/pathInComment.ts';
import { relativePath } from '../../../../../src/editor/chat/reading/relativePath.ts';

describe('a path in an answer', () => {
  const roots = ['/home/me/shop'];

  it('is taken as within the workspace', () => {
    assert.equal(relativePath('src/a.ts', roots), 'src/a.ts');
    assert.equal(relativePath('./src/../lib//a.ts', roots), 'lib/a.ts');
    assert.equal(relativePath('src\\a.ts', roots), 'src/a.ts');
    assert.equal(relativePath('/home/me/shop/src/a.ts', roots), 'src/a.ts');
  });

  it('never leads out of it', () => {
    for (const path of [
      '../a.ts',
      'src/../../a.ts',
      '/etc/passwd',
      '~/.ssh/id',
      'C:/a.ts',
      'file:///a.ts',
      '..',
      '.',
    ]) {
      assert.equal(relativePath(path, roots), undefined, path);
    }
  });

  it('may be the comment that code begins with', () => {
    assert.deepEqual(pathInComment('// src/a.ts\ncode();'), ['src/a.ts']);
    assert.deepEqual(pathInComment('# file: lib/a.py\n'), ['lib/a.py']);
    assert.deepEqual(pathInComment('<!-- index.html -->\n<p>'), ['index.html']);
    assert.deepEqual(pathInComment('// See src/a.ts for more\n'), []);
    assert.deepEqual(pathInComment('const a = 1;'), []);
  });
});
