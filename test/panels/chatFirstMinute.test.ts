/** What a new user sees first: an empty chat, the sandbox, and no dashboard. In a plain browser. */
import assert from 'node:assert/strict';
import { eventuallyEqual } from '../support/eventually.ts';
import { galleryForEach } from '../support/panels/galleryForEach.ts';

describe('the first use of the chat panel', () => {
  const shown = galleryForEach();

  const meter = () => shown.page.locator('.meter-text');

  it('shows the cost of a prompt only while the pointer is over it', async () => {
    await shown.gallery.show('empty');
    await meter().filter({ hasText: 'No tokens yet' }).waitFor();
    const prompt = shown.page.getByRole('button', { name: /^Explain quote\.ts/ });
    await prompt.hover();
    await meter().filter({ hasText: '301 tokens' }).filter({ hasText: '$0.0058' }).waitFor();
    await shown.page.getByRole('heading', { level: 1 }).hover();
    await meter().filter({ hasText: 'No tokens yet' }).waitFor();
  });

  it('reaches the suggested prompts from the composer with the keyboard, and uses one with Enter', async () => {
    await shown.gallery.show('empty-sandbox');
    const improve = shown.page.getByRole('button', { name: /^Improve quote\.ts/ });
    for (let step = 0; step < 4; step += 1) await shown.page.keyboard.press('Shift+Tab');
    await improve.and(shown.page.locator(':focus')).waitFor();
    await meter().filter({ hasText: '301 tokens' }).waitFor();
    await shown.page.keyboard.press('Enter');
    const used = async () =>
      (await shown.gallery.posted()).filter((message) => message.type === 'starter' && message.action === 'use');
    await eventuallyEqual<unknown>(used, [{ type: 'starter', action: 'use', id: 'improve' }]);
    // The suggested prompts disappear with the first question, and the focus must not be lost with them.
    await shown.page.getByRole('textbox', { name: 'Message' }).and(shown.page.locator(':focus')).waitFor();
  });

  it('offers Set Service Key in the sandbox, and the walkthrough with a key', async () => {
    await shown.gallery.show('empty-sandbox');
    await shown.page.getByRole('button', { name: 'Set Service Key' }).click();
    assert.ok(await shown.gallery.awaitPosted('enterKey'));
    await shown.gallery.show('empty');
    await shown.page.getByRole('button', { name: 'Get Started' }).click();
    assert.ok(await shown.gallery.awaitPosted('openFirstSteps'));
    assert.equal(await shown.page.getByRole('button', { name: 'Set Service Key' }).count(), 0);
  });

  it('shows the full model name from 300 pixels, and no format next to the composer', async () => {
    await shown.page.setViewportSize({ width: 300, height: 640 });
    await shown.gallery.show('empty');
    const name = shown.page.locator('[data-opens="models"] .picker-text');
    const isCut = await name.evaluate((text) => text.scrollWidth > text.clientWidth);
    assert.equal(isCut, false, 'The name of the model is cut.');
    assert.equal(await shown.page.getByRole('button', { name: /^Format: / }).count(), 0);
  });

  it('says once that amounts are samples in the sandbox, and opens its menu there', async () => {
    await shown.gallery.show('sandbox');
    await shown.page.locator('.meter').getByText('≈\u2009$').waitFor();
    assert.equal(await shown.page.getByText(/sample/).count(), 1);
    await shown.page.getByRole('button', { name: 'Sandbox: sample money' }).click();
    assert.ok(await shown.gallery.awaitPosted('openSandboxMenu'));
    await shown.gallery.show('conversation');
    await shown.page.locator('.meter').getByText('$').first().waitFor();
    assert.equal(await shown.page.getByText('Sandbox').count(), 0);
  });

  it('shows earlier chats without a key, to read only', async () => {
    await shown.gallery.show('first-run');
    await shown.page.getByRole('button', { name: 'History' }).click();
    await shown.page.getByRole('region', { name: 'History' }).waitFor();
    await shown.gallery.tell({ type: 'change', change: { connection: 'sandbox' } });
    await shown.page.getByRole('heading', { name: 'What are you working on?' }).waitFor();
    await shown.gallery.show('reading');
    await shown.page.locator('article.answer').first().waitFor();
    assert.equal(await shown.page.getByRole('textbox', { name: 'Message' }).count(), 0);
    for (const name of ['Retry', 'Edit and send again', 'More actions for this answer']) {
      assert.equal(await shown.page.getByRole('button', { name }).count(), 0, name);
    }
    await shown.page.getByRole('button', { name: 'Set Service Key' }).click();
    assert.ok(await shown.gallery.awaitPosted('enterKey'));
  });

  for (const language of ['en', 'de']) {
    it(`has one row of figures and one of actions at the default width, and the name of the mode: ${language}`, async () => {
      await shown.page.setViewportSize({ width: 285, height: 640 });
      await shown.gallery.show('sandbox', { language });
      const heightOf = async (selector: string) =>
        shown.page
          .locator(selector)
          .last()
          .evaluate((row) => row.getBoundingClientRect().height);
      assert.ok((await heightOf('.figures.meta')) < 24);
      assert.ok((await heightOf('.answer-actions')) < 32);
      await shown.page
        .locator('[data-opens="mode"] .picker-text')
        .filter({ hasText: language === 'en' ? 'Ask' : 'Fragen' })
        .waitFor();
    });
  }

  it('offers to add credit, which leads to the dashboard, but not in the sandbox', async () => {
    const offer = shown.page.getByRole('button', { name: 'Add credit' });
    for (const state of ['failed-credit', 'over-balance']) {
      await shown.gallery.show(state);
      await offer.click();
      assert.deepEqual(await shown.gallery.awaitPosted('step'), {
        type: 'step',
        step: 'addCredit',
        turnId: state === 'failed-credit' ? 'b1' : '',
      });
      await shown.gallery.tell({ type: 'change', change: { connection: 'sandbox' } });
      await offer.waitFor({ state: 'detached' });
    }
  });
});
