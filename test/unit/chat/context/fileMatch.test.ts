import assert from 'node:assert/strict';
import { matchPaths } from '../../../../src/chat/context/fileMatch.ts';

describe('files that match the typed text', () => {
  const paths = ['docs/session.md', 'server/session/index.ts', 'src/session.ts', 'src/quote.ts', 'test/useSession.ts'];

  it('are ranked by prefix, then name, then path, then letters in order', () => {
    assert.deepEqual(matchPaths(paths, 'session', 9), [
      'src/session.ts',
      'docs/session.md',
      'test/useSession.ts',
      'server/session/index.ts',
    ]);
    assert.deepEqual(matchPaths(paths, 'sqt', 9), ['src/quote.ts']);
  });

  it('ignore case, and folders match by their own name', () => {
    assert.deepEqual(matchPaths(['src/', 'src/Main.ts'], 'MAIN', 9), ['src/Main.ts']);
    assert.deepEqual(matchPaths(['src/panels/', 'src/panels/a.ts'], 'pan', 9)[0], 'src/panels/');
  });

  it('are limited to the requested number, and keep their order if nothing is typed', () => {
    assert.deepEqual(matchPaths(paths, '', 2), paths.slice(0, 2));
    assert.equal(matchPaths(paths, 's', 3).length, 3);
    assert.deepEqual(matchPaths(paths, 'zzz', 3), []);
  });
});
