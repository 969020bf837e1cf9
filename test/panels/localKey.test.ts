/** The page that creates a local key, in a plain browser. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { GalleryPage } from '../support/panels/galleryPage.ts';

const PANEL = { panel: 'localKey' } as const;

describe('the page that creates a local key', () => {
  let gallery: GalleryPage;
  let page: Page;

  beforeEach(async () => {
    gallery = await GalleryPage.open({ viewport: { width: 760, height: 900 } });
    ({ page } = gallery);
  });
  afterEach(() => gallery.close());

  const summary = () => page.locator('.summary');
  const create = () => page.getByRole('button', { name: 'Create Local Key' });

  it('begins with the name, and says that a key without limits has none', async () => {
    await gallery.show('empty', PANEL);
    await page.getByRole('textbox', { name: 'Name', exact: true }).and(page.locator(':focus')).waitFor();
    await summary().getByText('The key can spend without limit on all models.').waitFor();
    await summary().locator('.codicon-warning').waitFor();
  });

  it('says in sentences what the fields add up to', async () => {
    await gallery.show('empty', PANEL);
    await page.keyboard.type('ci-bot');
    await page.getByRole('textbox', { name: 'Each day' }).fill('2.00');
    await page.getByRole('textbox', { name: 'In total' }).fill('50');
    await page.getByRole('textbox', { name: 'Requests per minute' }).fill('30');
    await page.getByText('Only these').click();
    await page.getByRole('checkbox', { name: 'familya-haiku-4.5' }).check();
    await page.getByText('In 30 days').click();
    await summary()
      .getByText(
        'ci-bot can spend $2.00 per day and $50 in total on familya-haiku-4.5. It can send 30 requests per minute. It expires in 30 days.',
      )
      .waitFor();
    assert.equal(await summary().locator('.codicon-warning').count(), 0);
    await page.getByText('1 of 8').waitFor();
  });

  it('shows what is wrong below its field, and goes to the first one', async () => {
    await gallery.show('wrong', PANEL);
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    assert.equal(await name.getAttribute('aria-invalid'), 'true');
    await page.getByText('A key named "ci-bot" already exists.').waitFor();
    await page.getByText('Name at least one model').waitFor();
  });

  it('is created with Enter, shows its secret once, and offers to copy it', async () => {
    await gallery.show('filled', PANEL);
    assert.match(await page.locator('.snippet pre').innerText(), /key_•+"/);
    await page.getByRole('textbox', { name: 'Name', exact: true }).press('Enter');
    await page.getByText('The local key “ci-bot” was created.').waitFor();
    assert.match(await page.locator('.snippet pre').innerText(), /"key_sample"/);
    await page.getByRole('button', { name: 'Copy Key' }).click();
    const posted = await page.evaluate<{ type: string; text?: string }[]>('posted');
    assert.deepEqual(posted.at(-1), { type: 'copy', text: 'key_sample' });
    assert.equal(await create().count(), 0);
    assert.equal(await page.getByRole('textbox', { name: 'Name', exact: true }).isDisabled(), true);
  });

  it('fits a narrow editor', async () => {
    await page.setViewportSize({ width: 300, height: 700 });
    for (const state of ['filled', 'wrong', 'created']) {
      await gallery.show(state, PANEL);
      assert.equal(await page.evaluate<number>('document.documentElement.scrollWidth'), 300, state);
    }
  });
});
