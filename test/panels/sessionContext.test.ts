import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { sampleContext } from '../gallery/session/contextSamples.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { GalleryPage } from '../support/panels/galleryPage.ts';

const SIZE = { width: 1000, height: 900 };

describe('what fills the context of a session, in a plain browser', () => {
  let gallery: GalleryPage;
  let page: Page;

  const posted = async () => (await page.evaluate<{ type: string }[]>('posted')).at(-1);
  const section = () => page.locator('.context');

  beforeEach(async () => {
    gallery = await GalleryPage.open({ viewport: SIZE });
    ({ page } = gallery);
    await gallery.show('context', { panel: 'session' });
    await section().waitFor();
  });
  afterEach(() => gallery.close());

  it('shows the context by kind at each step, and opens the step in Traffic', async () => {
    const plot = section().getByRole('img');
    await plot.focus();
    await plot.press('ArrowRight');
    assert.match((await section().locator('.readout').textContent()) ?? '', /^Step 1 · [\d.]+k of 200k$/);
    assert.match((await section().locator('.legend').innerText()) ?? '', /tool definitions\s*10\.8k/);
    await plot.press('End');
    assert.match((await section().locator('.readout').textContent()) ?? '', /^Step 54 · /);
    await plot.press('Enter');
    await eventuallyEqual(async () => (await posted())?.type, 'showInTraffic');
    const { from, to } = await page.evaluate<{ from: number; to: number }>('posted.at(-1)');
    assert.equal(to, from + 1);
  });

  it('lists what was paid for without use, and copies what switches a server off', async () => {
    const findings = section().locator('.findings li');
    assert.deepEqual(await findings.locator('.finding-text').allTextContents(), [
      'The result of Bash npm test (12.3k tokens) was carried through 42 further requests, and nothing mentions it.',
      'The tools of the server github were defined in 54 requests and never called.',
      'The result of View store/orders.ts was in the context twice or more.',
      'Tool definitions changed, so that the cache missed.',
    ]);
    await findings.nth(1).getByRole('button', { name: 'Copy Line to Switch It Off' }).click();
    await eventuallyEqual(posted, { type: 'copySwitchOff', server: 'github' } as never);
    await findings.first().getByRole('button', { name: 'Steps 12–54' }).click();
    await eventuallyEqual(async () => (await posted())?.type, 'showInTraffic');
  });

  it('lists the most expensive parts first, with the steps that carried each', async () => {
    const table = section().getByRole('table', { name: 'Parts of the context' });
    const costs = (await table.locator('tbody td:last-child').allTextContents()).map((text) => Number(text.slice(1)));
    assert.equal(costs.length, 12);
    assert.deepEqual(
      costs,
      costs.toSorted((a, b) => b - a),
    );
    await section().getByRole('button', { name: 'Show 8 more' }).click();
    assert.equal(await table.locator('tbody tr').count(), 20);
    await table.getByRole('row', { name: 'Bash npm test' }).getByRole('button', { name: '43' }).click();
    await section().locator('.context-runs').getByRole('button', { name: 'Steps 12–54' }).click();
    await eventuallyEqual(async () => (await posted())?.type, 'showInTraffic');
  });

  it('shows two thousand steps in a few hundred slots, with the compactions', async () => {
    await gallery.show('context-long', { panel: 'session' });
    const plot = section().getByRole('img');
    await plot.focus();
    await plot.press('ArrowRight');
    assert.match((await section().locator('.readout').textContent()) ?? '', /^Steps 1–9 · /);
    assert.equal(await section().locator('.compaction-mark').count(), 20);
  });

  it('paints a long list of parts block by block, which stays one table', async () => {
    const { parts, ...rest } = sampleContext(54, 0);
    const many = Array.from({ length: 150 }, (_, nth) => ({ ...parts[0], file: `file ${nth}` }));
    await page.evaluate(`tell(${JSON.stringify({ type: 'context', context: { ...rest, parts: many } })})`);
    await section().getByRole('button', { name: 'Show 138 more' }).click();
    const table = section().getByRole('table', { name: 'Parts of the context' });
    assert.equal(await table.getByRole('rowheader').count(), 150);
    const blocks = await table
      .locator('tbody')
      .evaluateAll((all) => all.map((block) => [block.children.length, getComputedStyle(block).contain]));
    assert.deepEqual(blocks, Array(3).fill([50, 'content']));
  });
});
