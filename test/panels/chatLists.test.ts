/** The lists that `/` and `@` open: their groups, figures, and roles. */
import assert from 'node:assert/strict';
import { galleryForEach } from '../support/panels/galleryForEach.ts';

describe('the / and @ lists', () => {
  const shown = galleryForEach();

  const composer = () => shown.page.getByRole('textbox', { name: 'Message' });
  const group = (name: string) => shown.page.getByRole('group', { name, exact: true });
  const option = (name: RegExp) => shown.page.getByRole('option', { name });
  const names = () => shown.page.getByRole('group').evaluateAll((all) => all.map((each) => each.ariaLabel));

  it('group prompts by source, which is part of the group name', async () => {
    await shown.gallery.show('prompts');
    await option(/^\/explain/).waitFor();
    assert.deepEqual(await names(), ['Built in', 'This workspace, .github/prompts', 'Your prompts, this profile']);
    await group('This workspace, .github/prompts')
      .getByRole('option', { name: '/add-zone Add a delivery zone 214 tokens' })
      .waitFor();
  });

  it('show the tokens and cost that the active prompt adds', async () => {
    await shown.gallery.show('prompts');
    await shown.page.getByText('/explain adds 364 tokens, ≈\u202f$0.0011').waitFor();
    await composer().press('End');
    await shown.page.getByText('/terse adds 26 tokens').waitFor();
    await shown.gallery.show('prompts');
    for (let step = 0; step < 5; step += 1) await composer().press('ArrowDown');
    await shown.page.getByText(/^\/commit-message adds 71 tokens.*, and the Git changes$/).waitFor();
  });

  it('show the current file first, then symbols, files and folders, and the rest', async () => {
    await shown.gallery.show('context');
    await option(/^session\.ts/).waitFor();
    assert.deepEqual(await names(), ['Current file', 'Symbols', 'Files and folders', 'More']);
    await option(/^session\.ts src 1,300 tokens$/).waitFor();
    await group('Files and folders').getByRole('option', { name: 'sessions/ src · 6 files 2,400 tokens' }).waitFor();
    await shown.page.getByText('Attach session.ts: 1,300 tokens, ≈\u202f$0.0038').waitFor();
    assert.equal(await shown.page.getByText('Tab', { exact: true }).count(), 1);
  });

  it('state that the files of a large folder are to be chosen, and omit unknown sizes', async () => {
    await shown.gallery.show('context');
    await option(/^server\//).hover();
    await shown.page.getByText('Attach server/: you choose which files.').waitFor();
    await composer().press('End');
    await option(/^Text of web page/)
      .and(shown.page.locator('[aria-selected="true"]'))
      .waitFor();
    assert.equal(await shown.page.locator('.list-footer').count(), 0);
  });

  it('hide groups without items', async () => {
    await shown.gallery.show('context');
    await option(/^session\.ts/).waitFor();
    await shown.gallery.tell({
      type: 'context',
      query: 'se',
      choices: [{ id: 'path:a', kind: 'file', group: 'paths', label: 'a.ts', tokens: 1 }],
    });
    await option(/^a\.ts 1 token$/).waitFor();
    assert.deepEqual(await names(), ['Files and folders']);
  });

  it('are linked to the composer, which references the active row', async () => {
    await shown.gallery.show('context');
    await option(/^session\.ts/).waitFor();
    assert.equal(await composer().getAttribute('aria-haspopup'), 'listbox');
    assert.equal(
      await composer().getAttribute('aria-controls'),
      await shown.page.getByRole('listbox').getAttribute('id'),
    );
    const active = await composer().getAttribute('aria-activedescendant');
    assert.equal(await shown.page.locator('[role="option"][aria-selected="true"]').getAttribute('id'), active);
  });

  it('hide descriptions in a narrow panel and keep the token counts', async () => {
    await shown.gallery.show('context', { width: 240 });
    const row = option(/^session\.ts/);
    await row.waitFor();
    assert.equal(await row.locator('.row-note').isVisible(), false);
    assert.equal(await row.getByText('1.3k').isVisible(), true);
  });

  it('attach a URL only when it is selected, keep it in the text until then, and show the page', async () => {
    await shown.gallery.show('context-address');
    await shown.page.getByText('Read when you choose it, as text only.').waitFor();
    assert.equal(await shown.gallery.lastPosted('attach'), undefined);
    await composer().press('Enter');
    const { choiceId } = (await shown.gallery.awaitPosted('attach')) as { choiceId: string };
    const field = composer();
    assert.equal(await field.inputValue(), 'Do the rates match @https://docs.example.com/rates');
    const page = { label: 'docs.example.com/rates', title: 'Rates', tokens: 1900, start: 'Local parcels cost 3.50.' };
    await shown.gallery.tell({ type: 'attachedPage', choiceId, page });
    await shown.page.getByText('“Local parcels cost 3.50.”').waitFor();
    assert.equal(await field.inputValue(), 'Do the rates match ');
    await field.press('Escape');
    await shown.page.getByText('“Local parcels cost 3.50.”').waitFor({ state: 'detached' });
  });

  it('explain AGENTS.md in a card with actions to open it and remove it from the chat', async () => {
    await shown.gallery.show('instructions');
    await shown.page.getByText('Sent with every message in this chat.').waitFor();
    await shown.page.getByRole('button', { name: 'Open', exact: true }).click();
    await shown.gallery.awaitPosted('openInstructions');
    await shown.page.getByRole('button', { name: 'Remove from This Chat', exact: true }).click();
    assert.deepEqual(await shown.gallery.awaitPosted('setInstructions'), { type: 'setInstructions', isSent: false });
  });
});
