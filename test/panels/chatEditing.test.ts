/** Editing a sent question, with its attachments, its model, and its own meter. In a plain browser. */
import assert from 'node:assert/strict';
import { galleryForEach } from '../support/panels/galleryForEach.ts';

describe('a question that is edited in the chat panel', () => {
  const shown = galleryForEach();

  beforeEach(async () => {
    await shown.gallery.show('editing');
  });

  const form = () => shown.page.getByRole('form', { name: 'Edit question' });
  const chips = () => form().getByRole('list', { name: 'Attachments' }).getByRole('listitem');

  it('loses the attachments that are removed, and asks for others', async () => {
    const before = await chips().count();
    assert.ok(before > 0);
    await chips()
      .first()
      .getByRole('button', { name: /^Remove / })
      .click();
    await chips()
      .nth(before - 1)
      .waitFor({ state: 'detached' });
    await form().getByRole('button', { name: 'Attach' }).click();
    assert.ok(await shown.gallery.awaitPosted('pickContext'));
  });

  it('is answered by the model that is chosen for it, and not the next one', async () => {
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

  it('is left with Escape from its buttons, too, after the list that one of them has opened', async () => {
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

  it('says what it costs and what it did cost, and keeps the rest out of reach', async () => {
    await form()
      .locator('.meter-text')
      .filter({ hasText: /\$[\d.]+, was \$[\d.]+/ })
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
});
