import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';

const WORKFLOWS = new URL('../../.github/workflows/', import.meta.url);

describe('the workflows', () => {
  for (const file of readdirSync(WORKFLOWS)) {
    it(`pin each action to a commit and state its version: ${file}`, () => {
      const text = readFileSync(new URL(file, WORKFLOWS), 'utf8');
      const all = [...text.matchAll(/uses: *(.*)/g)].map(([, action = '']) => action);
      assert.ok(all.length > 0);
      // A workflow of this repository comes with the commit itself.
      const used = all.filter((action) => !action.startsWith('./'));
      for (const action of used) assert.match(action, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    });
  }
});
