/** What the panels' layouts depend on. */
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/paths.ts';

/** A condition or a length that depends on the window's width. */
const OF_WINDOW = /@media[^{]*\b(?:width|inline-size|orientation|aspect-ratio)\b|\d(?:[sld]?v(?:w|i|min|max))\b/g;

describe('the layout of the panels', () => {
  // Otherwise, `fits` would have to resize the window.
  it('depends on the width of the panel, not of the window', async () => {
    const paths = await Array.fromAsync(
      glob('src/panels/**/*.{css,ts,tsx}', { cwd: ROOT, exclude: ['**/gallery/**'] }),
    );
    const found = await Promise.all(
      paths.map(async (path) => {
        const source = await readFile(join(ROOT, path), 'utf8');
        return [...source.matchAll(OF_WINDOW)].map(([match]) => `${path}: ${match}`);
      }),
    );
    assert.ok(paths.length > 0);
    assert.deepEqual(found.flat(), []);
  });
});
