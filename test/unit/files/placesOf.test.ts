import assert from 'node:assert/strict';
import { pathInComment } from '../../../src/chat/apply/suggestion.ts';
import { placesOf } from '../../../src/files/placesOf.ts';

const folder = (path: string) => ({ name: path.slice(path.lastIndexOf('/') + 1), uri: { path } });

describe('a path in an answer', () => {
  const shop = [folder('/projects/shop')];
  const places = (written: string, folders = shop) => placesOf(written, folders).map((place) => place.path);

  it('is relative to the workspace', () => {
    assert.deepEqual(places('src/a.ts'), ['src/a.ts']);
    assert.deepEqual(places('./src/../lib//a.ts'), ['lib/a.ts']);
    assert.deepEqual(places('src\\a.ts'), ['src/a.ts']);
    assert.deepEqual(places('/projects/shop/src/a.ts'), ['src/a.ts']);
  });

  it('never points outside the workspace', () => {
    for (const path of [
      '../a.ts',
      'src/../../a.ts',
      '/projects/shop/../other/a.ts',
      '/etc/passwd',
      '~/.ssh/id',
      'C:/a.ts',
      'file:///a.ts',
      '..',
      '.',
    ]) {
      assert.deepEqual(places(path), [], path);
    }
  });

  it('may begin with a folder name, which is tried first if there are several folders', () => {
    const [web, api] = [folder('/projects/web'), folder('/projects/api')];
    assert.deepEqual(places('shop/a.ts'), ['shop/a.ts', 'a.ts']);
    assert.deepEqual(placesOf('api/a.ts', [web, api]), [
      { folder: api, path: 'a.ts' },
      { folder: web, path: 'api/a.ts' },
      { folder: api, path: 'api/a.ts' },
    ]);
  });

  it('belongs to the folder that it begins with, and to the inner one of two', () => {
    const [web, inner] = [folder('/projects/web'), folder('/projects/web/packages/inner')];
    assert.deepEqual(placesOf('/projects/web/packages/inner/a.ts', [web, inner]), [{ folder: inner, path: 'a.ts' }]);
    assert.deepEqual(placesOf('/projects/web/a.ts', [web, inner]), [{ folder: web, path: 'a.ts' }]);
  });

  it('may be in a folder that is the root of its file system', () => {
    assert.deepEqual(placesOf('/src/a.ts', [{ name: 'memory', uri: { path: '/' } }])[0]?.path, 'src/a.ts');
  });

  it('may be the comment at the start of the code', () => {
    assert.deepEqual(pathInComment('// src/a.ts\ncode();'), ['src/a.ts']);
    assert.deepEqual(pathInComment('# file: lib/a.py\n'), ['lib/a.py']);
    assert.deepEqual(pathInComment('<!-- index.html -->\n<p>'), ['index.html']);
    assert.deepEqual(pathInComment('// See src/a.ts for more\n'), []);
    assert.deepEqual(pathInComment('const a = 1;'), []);
  });
});
