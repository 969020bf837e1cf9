/** What the panels' layouts depend on. */
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/paths.ts';
import { GalleryPage } from '../support/panels/galleryPage.ts';

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

/** The rows of which no part may cover another one, and those that also hold long words in the narrowest panels. */
const ROWS = '.composer-tools, .changes-row';
const NARROW_ROWS = `${ROWS}, .action-line`;

describe('the chat panel between two side bars', () => {
  for (const language of ['en', 'de', 'zh-cn']) {
    it(`keeps the parts of each row apart and inside it, from 160 pixels on: ${language}`, async () => {
      const gallery = await GalleryPage.open();
      const found: string[] = [];
      let rows = 0;
      for (const width of [160, 165, 209, 210, 279]) {
        await gallery.resize({ width, height: 640 });
        for (const state of ['empty', 'empty-agent', 'comparing', 'agent-run', 'agent-helpers', 'streaming']) {
          await gallery.show(state, { language });
          const looked = await gallery.page.evaluate(colliding, width < 210 ? NARROW_ROWS : ROWS);
          rows += looked.rows;
          found.push(...looked.faults.map((fault) => `${state} at ${width}: ${fault}`));
        }
      }
      await gallery.close();
      assert.ok(rows > 0);
      assert.deepEqual(found, []);
    });
  }
});

/** Runs in the page. Finds parts of rows that cover the one before them, or that are outside their row. */
function colliding(selector: string): { readonly rows: number; readonly faults: readonly string[] } {
  const found = Array.from(document.querySelectorAll(selector)).filter((row) => row.clientWidth > 0);
  const faults = found.flatMap((row) => {
    const { right, left } = row.getBoundingClientRect();
    const parts = Array.from(row.querySelectorAll(':scope > :not(.hidden-text)'), (part) => ({
      part,
      box: part.getBoundingClientRect(),
    }));
    const shown = parts.filter(({ box }) => box.width > 0);
    return shown.flatMap(({ part, box }, nth) => {
      const before = shown[nth - 1];
      const isApart = before === undefined || before.box.right <= box.left + 1 || before.box.bottom <= box.top + 1;
      const isInside = box.right <= right + 1 && box.left >= left - 1;
      // What it contains is drawn beside it if it is not cut.
      const isWhole = part.scrollWidth <= part.clientWidth + 1 || getComputedStyle(part).overflowX !== 'visible';
      return isApart && isInside && isWhole ? [] : [`${row.className}: ${part.className} ${part.textContent}`];
    });
  });
  return { rows: found.length, faults };
}
