/** What a person meets first: an empty chat, the sandbox, and no dashboard. In a plain browser. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { GalleryPage } from '../support/panels/galleryPage.ts';

describe('the first minute in the chat panel', () => {
  let gallery: GalleryPage;
  let page: Page;

  beforeEach(async () => {
    gallery = await GalleryPage.open();
    ({ page } = gallery);
  });
  afterEach(() => gallery.close());

  const meter = () => page.locator('.meter-text');

  it('shows what a prompt would cost while it is pointed at, and no longer than that', async () => {
    await gallery.show('empty');
    await meter().filter({ hasText: 'No tokens yet' }).waitFor();
    const prompt = page.getByRole('button', { name: /^Explain quote\.ts/ });
    await prompt.hover();
    await meter().filter({ hasText: '301 tokens' }).filter({ hasText: '$0.0058' }).waitFor();
    await page.getByRole('heading', { level: 1 }).hover();
    await meter().filter({ hasText: 'No tokens yet' }).waitFor();
  });

  it('leads from the message to its prompts by the keyboard, and uses one with Enter', async () => {
    await gallery.show('empty-sandbox');
    const document = page.getByRole('button', { name: /^Add comments to quote\.ts/ });
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('Shift+Tab');
    await document.and(page.locator(':focus')).waitFor();
    await meter().filter({ hasText: '301 tokens' }).waitFor();
    await page.keyboard.press('Enter');
    const used = (await gallery.posted()).filter((message) => message.type === 'starter' && message.action === 'use');
    assert.deepEqual(used, [{ type: 'starter', action: 'use', id: 'document' }]);
  });

  it('offers the key and the walkthrough in the sandbox, and only the walkthrough with a key', async () => {
    await gallery.show('empty-sandbox');
    await page.getByRole('button', { name: 'Set Service Key' }).click();
    assert.ok(await gallery.awaitPosted('enterKey'));
    await gallery.show('empty');
    await page.getByRole('button', { name: 'Get Started' }).click();
    assert.ok(await gallery.awaitPosted('openFirstSteps'));
    assert.equal(await page.getByRole('button', { name: 'Set Service Key' }).count(), 0);
  });

  it('names the whole model from 240 pixels on, and no format beside the message', async () => {
    await page.setViewportSize({ width: 240, height: 640 });
    await gallery.show('empty');
    const name = page.locator('.picker-text');
    const isCut = await name.evaluate((text) => text.scrollWidth > text.clientWidth);
    assert.equal(isCut, false, 'The name of the model is cut.');
    assert.equal(await page.getByRole('button', { name: /^Format: / }).count(), 0);
  });

  it('marks amounts of the sandbox as samples, and none with a key', async () => {
    await gallery.show('sandbox');
    await page.locator('.meter').getByText('≈\u2009sample $').waitFor();
    const amounts = await page.getByText(/\$\d/).allInnerTexts();
    assert.ok(amounts.length > 2);
    const balance = /^\$\d+\.\d\d (?:left|after|left after)$/;
    assert.deepEqual(
      amounts.filter((text) => !text.includes('sample') && !balance.test(text)),
      [],
    );
    await gallery.show('conversation');
    await page.locator('.meter').getByText('$').first().waitFor();
    assert.equal(await page.getByText('sample $').count(), 0);
  });

  it('offers to add credit only where an address is known for it', async () => {
    const offer = page.getByRole('button', { name: 'Add credit' });
    await gallery.show('failed-credit');
    await offer.waitFor();
    await gallery.tell({ type: 'change', change: { hasDashboard: false } });
    await offer.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Use a cheaper model' }).waitFor();
    await gallery.show('over-balance');
    await offer.waitFor();
    await gallery.tell({ type: 'change', change: { hasDashboard: false } });
    await offer.waitFor({ state: 'detached' });
  });
});
