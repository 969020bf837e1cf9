/** Editing a sent question, with its attachments, its model, and its own meter. In a plain browser. */
import assert from 'node:assert/strict';
import { answer, user } from '../gallery/chat/samples.ts';
import { galleryForEach } from '../support/panels/galleryForEach.ts';

describe('a question being edited in the chat panel', () => {
  const shown = galleryForEach();

  beforeEach(async () => {
    await shown.gallery.show('editing');
  });

  const form = () => shown.page.getByRole('form', { name: 'Edit question' });
  const chips = () => form().getByRole('list', { name: 'Attachments' }).getByRole('listitem');

  it('removes attachments and offers to add others', async () => {
    const before = await chips().count();
    assert.ok(before > 0);
    await chips()
      .first()
      .getByRole('button', { name: /^Remove / })
      .click();
    await chips()
      .nth(before - 1)
      .waitFor({ state: 'detached' });
    await form().getByRole('button', { name: 'Attach', exact: true }).click();
    assert.ok(await shown.gallery.awaitPosted('pickContext'));
  });

  it('uses the current text of a changed file, or its earlier text on request', async () => {
    const chip = chips().last().locator('.chip');
    assert.match(
      (await chip.getAttribute('title')) ?? '',
      /has changed since it was attached\. Its current text is sent/,
    );
    await chip.getByRole('button', { name: /^Use Attached Text of / }).click();
    assert.ok(await shown.gallery.awaitPosted('editVersion'));
    await chip.getByRole('button', { name: /^Use Current Text of / }).waitFor();
    assert.match((await chip.getAttribute('title')) ?? '', /The attached text is sent/);
  });

  it('uses the model selected for it without changing the model of the next question', async () => {
    await form().getByRole('button', { name: 'Model: familya-opus-4.6' }).click();
    await shown.page.getByRole('combobox', { name: 'Choose a model' }).fill('haiku');
    await shown.page.keyboard.press('Enter');
    const { model } = await shown.gallery.awaitPosted('editModel');
    await form()
      .getByRole('button', { name: `Model: ${model}` })
      .waitFor();
    assert.equal(
      (await shown.gallery.posted()).some(({ type }) => type === 'chooseModel'),
      false,
    );
    await shown.page.getByRole('textbox', { name: 'Edit the message' }).and(shown.page.locator(':focus')).waitFor();
  });

  it('closes with Escape from its buttons, even after one of them has opened a list', async () => {
    const model = form().getByRole('button', { name: 'Model: familya-opus-4.6' });
    await model.focus();
    await shown.page.keyboard.press('Enter');
    await shown.page.getByRole('combobox', { name: 'Choose a model' }).waitFor();
    await shown.page.keyboard.press('Escape');
    await shown.page.getByRole('combobox', { name: 'Choose a model' }).waitFor({ state: 'detached' });
    await model.focus();
    await shown.page.keyboard.press('Escape');
    await form().waitFor({ state: 'detached' });
  });

  it('shows its new and previous cost, and makes the rest of the panel inert', async () => {
    await form()
      .locator('.meter-text')
      .filter({ hasText: /\$[\d.]+ (?:\+|with) answer, was \$[\d.]+/ })
      .waitFor();
    await form()
      .getByText(/^Sending makes version \d+\. Version \d+ is kept\.$/)
      .waitFor();
    assert.equal(await shown.page.locator('.composer-area').evaluate((area: HTMLElement) => area.inert), true);
    await shown.page.keyboard.press('Escape');
    await form().waitFor({ state: 'detached' });
    assert.equal(await shown.page.locator('[inert]').count(), 0);
    await shown.page.getByRole('textbox', { name: 'Message' }).and(shown.page.locator(':focus')).waitFor();
  });

  for (const [how, key] of [
    ['after being closed', 'Escape'],
    ['if it was not sent, for example because another window answers', 'Enter'],
  ] as const) {
    it(`is reopened with its text by Ctrl+Z in the composer ${how}`, async () => {
      const field = shown.page.getByRole('textbox', { name: 'Edit the message' });
      await field.fill('Half a thought');
      await field.press(key);
      await field.waitFor({ state: 'detached' });
      const message = shown.page.getByRole('textbox', { name: 'Message', exact: true });
      await message.fill('');
      await message.press('Control+z');
      await field.waitFor();
      assert.equal(await field.inputValue(), 'Half a thought');
    });
  }
});

describe('a notice that lasts in the chat panel', () => {
  const shown = galleryForEach();
  const undo = () => shown.page.getByRole('button', { name: 'Undo', exact: true });

  beforeEach(async () => {
    const clock = await shown.gallery.installClock();
    await shown.gallery.show('conversation', { clock: 'live' });
    const text = '3 of 3 changes applied to quote.ts';
    await shown.gallery.tell({ type: 'notice', notice: { id: 'n', text, lasts: true } });
    await undo().waitFor();
    await clock.runFor(60_000);
  });

  it('offers to undo an action until the host withdraws it', async () => {
    assert.equal(await undo().count(), 1);
    await shown.gallery.tell({ type: 'noticeWithdrawn', noticeId: 'n' });
    await undo().waitFor({ state: 'detached' });
  });

  it('can be dismissed, which ends the offer', async () => {
    await shown.page.getByRole('button', { name: 'Dismiss' }).click();
    await undo().waitFor({ state: 'detached' });
    assert.ok(await shown.gallery.awaitPosted('dismissNotice'));
  });
});

describe('a question that a command wrote in the chat panel', () => {
  const shown = galleryForEach();

  it('shows a short sentence, and what was sent on request', async () => {
    const { page, gallery } = shown;
    await gallery.show('conversation');
    const text = 'Explain `a.ts:3–20`: what it does, how it works, and what to watch out for.';
    const turns = [{ ...user('q', text), shown: 'Explain a.ts:3–20' }, answer('a', 'It adds.')];
    await gallery.tell({ type: 'turns', from: 0, turns });
    const question = page.locator('[data-turn="q"]');
    await question.getByText('Explain a.ts:3–20', { exact: true }).waitFor();
    assert.equal(await question.getByText('watch out').count(), 0);
    await question.getByRole('button', { name: 'Show what was sent', expanded: false }).click();
    await question.getByText('watch out').waitFor();
    await question.getByRole('button', { name: 'Show less', expanded: true }).click();
    await question.getByText('Explain a.ts:3–20', { exact: true }).waitFor();
  });

  it('is edited as it was sent', async () => {
    const { page, gallery } = shown;
    await gallery.show('conversation');
    const turns = [{ ...user('q', 'Explain all of it.'), shown: 'Explain a.ts' }, answer('a', 'It adds.')];
    await gallery.tell({ type: 'turns', from: 0, turns });
    await page.locator('[data-turn="q"]').hover();
    await page.locator('[data-turn="q"]').getByRole('button', { name: 'Edit and send again' }).click();
    const box = page.getByRole('form', { name: 'Edit question' }).getByRole('textbox').first();
    assert.equal(await box.inputValue(), 'Explain all of it.');
  });
});
