import assert from 'node:assert/strict';
import { changedPaths } from '../../../../src/editor/agent/changedPaths.ts';

describe('the paths of a diff', () => {
  it('are those before and after, also of new, deleted, and quoted ones', () => {
    const diff = [
      'diff --git a/.env b/.env',
      '--- a/.env',
      '+++ b/.env',
      '@@ -1 +1 @@',
      '-A=1',
      '+A=2',
      '--- /dev/null',
      '+++ b/new.pem',
      '--- "a/old \\303\\244.key"',
      '+++ /dev/null',
    ].join('\n');
    assert.deepEqual(changedPaths(diff), ['.env', '.env', 'new.pem', 'old \\303\\244.key']);
  });
});
