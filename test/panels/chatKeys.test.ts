/** The keys of `docs/keyboard.md` that no other suite presses, in the panel in a plain browser. */
import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { galleryForEach } from '../support/panels/galleryForEach.ts';

describe('the keyboard shortcuts of the chat', () => {
  const shown = galleryForEach();

  const focused = () => shown.page.locator(':focus');
  const composer = () => shown.page.getByRole('textbox', { name: 'Message' });

  it('start a new chat with Ctrl+N, wherever the focus is', async () => {
    await shown.gallery.show('conversation');
    await shown.page.getByRole('article').last().press('Control+n');
    assert.deepEqual(await shown.gallery.awaitPosted('newConversation'), { type: 'newConversation' });
  });

  it('move into a turn with Tab: to its code, links, and actions', async () => {
    await shown.gallery.show('conversation');
    await shown.page.getByRole('article').last().focus();
    const reached = new Set<string>();
    for (let step = 0; step < 24; step += 1) {
      await shown.page.keyboard.press('Tab');
      reached.add(await focused().evaluate((element) => element.getAttribute('aria-label') ?? element.tagName));
    }
    for (const name of ['PRE', 'Copy code', 'Apply to session.ts', 'Copy answer', 'Message'])
      assert.ok(reached.has(name), name);
  });

  it('move between code blocks with Ctrl+Alt+Up and Down', async () => {
    await shown.gallery.show('conversation');
    const blocks = shown.page.locator('figure.code pre');
    await shown.page.getByRole('article').last().focus();
    await shown.page.keyboard.press('Control+Alt+ArrowDown');
    await blocks.first().and(focused()).waitFor();
    await shown.page.keyboard.press('Control+Alt+ArrowDown');
    await blocks.nth(1).and(focused()).waitFor();
    await shown.page.keyboard.press('Control+Alt+ArrowUp');
    await blocks.first().and(focused()).waitFor();
  });

  it('move through the prompts with Up and Down, use one with Enter, and close them with Escape', async () => {
    await shown.gallery.show('prompts');
    const options = shown.page.getByRole('option');
    await options.nth(8).waitFor();
    await composer().press('ArrowDown');
    await composer().press('ArrowDown');
    await composer().press('ArrowUp');
    await options.nth(1).and(shown.page.locator('[aria-selected="true"]')).waitFor();
    await composer().press('Enter');
    assert.deepEqual(await shown.gallery.awaitPosted('usePrompt'), { type: 'usePrompt', promptId: 'builtIn:fix' });
    await shown.gallery.show('prompts');
    await options.nth(2).waitFor();
    await composer().press('Escape');
    await options.first().waitFor({ state: 'detached' });
    await composer().and(focused()).waitFor();
  });

  it('list attachable items with @ and attach one with Enter', async () => {
    await shown.gallery.show('context');
    await shown.page.getByRole('option').first().waitFor();
    await composer().press('ArrowDown');
    await composer().press('Enter');
    assert.deepEqual(await shown.gallery.awaitPosted('attach'), { type: 'attach', choiceId: 'selection' });
    assert.equal(await composer().inputValue(), 'Why does ');
  });

  it('attach the current file with @ and Tab, and move to the ends of the list with Home and End', async () => {
    await shown.gallery.show('context');
    const selected = shown.page.locator('[role="option"][aria-selected="true"]');
    await selected.filter({ hasText: 'session.ts' }).waitFor();
    await composer().press('End');
    await selected.filter({ hasText: 'Text of web page…' }).waitFor();
    await composer().press('Home');
    await selected.filter({ hasText: 'Tab' }).waitFor();
    await composer().press('Tab');
    assert.deepEqual(await shown.gallery.awaitPosted('attach'), { type: 'attach', choiceId: 'file' });
    await composer().and(focused()).waitFor();
  });

  it('close the list with Escape and keep the text', async () => {
    await shown.gallery.show('context');
    await shown.page.getByRole('option').first().waitFor();
    await composer().press('Escape');
    await shown.page.getByRole('option').first().waitFor({ state: 'detached' });
    assert.equal(await composer().inputValue(), 'Why does @se');
    assert.equal(await composer().getAttribute('aria-controls'), null);
  });

  it('list the prompts with a slash at the start', async () => {
    await shown.gallery.show('conversation');
    await composer().fill('');
    await composer().press('/');
    await shown.gallery.awaitPosted('listPrompts');
  });

  it('send an edited question with Enter', async () => {
    await shown.gallery.show('editing');
    const field = shown.page.getByRole('textbox', { name: 'Edit the message' });
    await field.fill('Asked in another way');
    await field.press('Enter');
    assert.deepEqual(await shown.gallery.awaitPosted('edit'), {
      type: 'edit',
      turnId: 'u2',
      text: 'Asked in another way',
    });
  });

  it('open a chat from the history with Down and Enter, and rename one with F2 and Enter', async () => {
    await shown.gallery.show('history');
    const search = shown.page.getByRole('combobox', { name: 'Search titles and messages' });
    await shown.page.getByRole('option').first().waitFor();
    await search.press('Home');
    await search.press('ArrowDown');
    await eventually('a row', async () => (await search.getAttribute('aria-activedescendant')) !== null);
    const active = (await search.getAttribute('aria-activedescendant'))?.replace('chat-', '');
    await search.press('F2');
    const title = shown.page.getByRole('textbox', { name: 'Chat title' });
    await title.fill('Another title');
    await title.press('Enter');
    const renamed = { type: 'renameConversation', conversationId: active, title: 'Another title' };
    assert.deepEqual(await shown.gallery.awaitPosted('renameConversation'), renamed);
    await search.and(focused()).waitFor();
    await search.press('Enter');
    assert.deepEqual(await shown.gallery.awaitPosted('openConversation'), {
      type: 'openConversation',
      conversationId: active,
    });
  });

  it('open the breakdown with Space and close it with Escape', async () => {
    await shown.gallery.show('conversation');
    const meter = shown.page.getByTitle('Request breakdown');
    const breakdown = shown.page.getByRole('heading', { name: 'This request' });
    await meter.press('Space');
    await breakdown.waitFor();
    await meter.press('Escape');
    await breakdown.waitFor({ state: 'detached' });
  });

  it('move to the attachments with Shift+Tab and remove one with Enter', async () => {
    await shown.gallery.show('attached');
    await composer().focus();
    await shown.page.keyboard.press('Shift+Tab');
    await shown.page.getByRole('button', { name: 'Remove screenshot.png' }).and(focused()).waitFor();
    await shown.page.keyboard.press('Enter');
    assert.deepEqual(await shown.gallery.awaitPosted('detach'), { type: 'detach', attachmentId: 'a6' });
  });
});
