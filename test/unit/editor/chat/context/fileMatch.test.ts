import assert from 'node:assert/strict';
import { matchPaths } from '../../../../../src/editor/chat/context/fileMatch.ts';

describe('files that match what was typed', () => {
  const paths = ['docs/session.md', 'server/session/index.ts', 'src/session.ts', 'src/quote.ts', 'test/useSession.ts'];

  it('begin with it, then have it in their name, then in their path, then its letters in order', () => {
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

  it('are no more than asked for, and as they were when nothing is typed', () => {
    assert.deepEqual(matchPaths(paths, '', 2), paths.slice(0, 2));
    assert.equal(matchPaths(paths, 's', 3).length, 3);
    assert.deepEqual(matchPaths(paths, 'zzz', 3), []);
  });
});
