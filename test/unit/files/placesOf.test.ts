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

  it('may be a full path of Windows, however it is written', () => {
    const windows = [{ name: 'shop', uri: { path: '/c:/Users/Ada/My Shop' } }];
    for (const path of [
      'C:\\Users\\Ada\\My Shop\\src\\a.ts',
      'c:/users/ada/my shop/src/a.ts',
      '/C:/Users/Ada/My Shop/src/a.ts',
      '\\\\?\\C:\\Users\\Ada\\My Shop\\src\\a.ts',
      '/mnt/c/Users/Ada/My Shop/src/a.ts',
      '/c/Users/Ada/My Shop/src/a.ts',
      'file:///c%3A/Users/Ada/My%20Shop/src/a.ts',
    ]) {
      assert.deepEqual(places(path, windows), ['src/a.ts'], path);
    }
    for (const path of ['D:\\Users\\Ada\\My Shop\\a.ts', 'C:\\Users\\Ada\\a.ts', 'C:\\Users\\Ada\\My Shop\\..\\a.ts']) {
      assert.deepEqual(places(path, windows), [], path);
    }
  });

  it('may be a path of a network share', () => {
    const share = [{ name: 'site', uri: { path: '/Development/site', authority: 'nas' } }];
    assert.deepEqual(places('\\\\NAS\\Development\\site\\js\\a.js', share), ['js/a.js']);
    assert.deepEqual(places('file://nas/Development/site/js/a.js', share), ['js/a.js']);
    assert.deepEqual(places('\\\\other\\Development\\site\\a.js', share), []);
  });

  it('may be a path of WSL, as Linux or as Windows writes it', () => {
    const linux = [{ name: 'shop', uri: { path: '/home/ada/shop', authority: 'wsl+debian' } }];
    for (const path of [
      '/home/ada/shop/a.ts',
      '\\home\\ada\\shop\\a.ts',
      '\\\\wsl$\\Debian\\home\\ada\\shop\\a.ts',
      '//wsl.localhost/Debian/home/ada/shop/a.ts',
    ]) {
      assert.deepEqual(places(path, linux), ['a.ts'], path);
    }
    assert.deepEqual(places('C:\\work\\shop\\a.ts', [folder('/mnt/c/work/shop')]), ['a.ts']);
    assert.deepEqual(places('/HOME/ada/shop/a.ts', linux), []);
  });

  it('may be in a virtual folder', () => {
    const remote = [{ name: 'repo', uri: { path: '/owner/repo', authority: 'github' } }];
    assert.deepEqual(places('/owner/repo/src/a.ts', remote), ['src/a.ts']);
    assert.deepEqual(places('src/a.ts', remote), ['src/a.ts']);
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
    assert.deepEqual(pathInComment('// V:\\Code\\My Life\\Python - Practice\\idle.py\n'), [
      'V:\\Code\\My Life\\Python - Practice\\idle.py',
    ]);
    assert.deepEqual(pathInComment('// See src/a.ts for more\n'), []);
    assert.deepEqual(pathInComment('// See src/a.ts\n'), []);
    assert.deepEqual(pathInComment('const a = 1;'), []);
  });
});
