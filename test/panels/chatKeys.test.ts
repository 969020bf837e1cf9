/** The keys of `docs/keyboard.md` that no other suite presses, in the panel in a plain browser. */
import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { galleryForEach } from '../support/panels/galleryForEach.ts';

describe('the keys of the chat', () => {
  const shown = galleryForEach();

  const focused = () => shown.page.locator(':focus');
  const composer = () => shown.page.getByRole('textbox', { name: 'Message' });

  it('begin a new chat with Ctrl+N, from wherever the focus is', async () => {
    await shown.gallery.show('conversation');
    await shown.page.getByRole('article').last().press('Control+n');
    assert.deepEqual(await shown.gallery.awaitPosted('newConversation'), { type: 'newConversation' });
  });

  it('lead into a turn with Tab: to its code, its links and its actions', async () => {
    await shown.gallery.show('conversation');
    await shown.page.getByRole('article').last().focus();
    const reached = new Set<string>();
    for (let step = 0; step < 24; step += 1) {
      await shown.page.keyboard.press('Tab');
      reached.add(await focused().evaluate((element) => element.getAttribute('aria-label') ?? element.tagName));
    }
    for (const name of ['PRE', 'Copy code', 'Apply to file', 'Copy answer', 'Message'])
      assert.ok(reached.has(name), name);
  });

  it('move through the prompts with Up and Down, take one with Enter and leave them with Escape', async () => {
    await shown.gallery.show('prompts');
    const options = shown.page.getByRole('option');
    await options.nth(2).waitFor();
    await composer().press('ArrowDown');
    await composer().press('ArrowDown');
    await composer().press('ArrowUp');
    await options.nth(1).and(shown.page.locator('[aria-selected="true"]')).waitFor();
    await composer().press('Enter');
    assert.deepEqual(await shown.gallery.awaitPosted('usePrompt'), { type: 'usePrompt', promptId: 'p2' });
    await shown.gallery.show('prompts');
    await options.nth(2).waitFor();
    await composer().press('Escape');
    await options.first().waitFor({ state: 'detached' });
    await composer().and(focused()).waitFor();
  });

  it('list what can be attached with @, and attach with Enter', async () => {
    await shown.gallery.show('context');
    await shown.page.getByRole('option').first().waitFor();
    await composer().press('ArrowDown');
    await composer().press('Enter');
    assert.deepEqual(await shown.gallery.awaitPosted('attach'), { type: 'attach', choiceId: 'terminal' });
    assert.equal(await composer().inputValue(), 'Why does ');
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

  it('open a chat of the history with Down and Enter, and rename one with F2 and Enter', async () => {
    await shown.gallery.show('history');
    const search = shown.page.getByRole('combobox', { name: 'Search titles and messages' });
    await shown.page.getByRole('option').first().waitFor();
    await search.press('Home');
    await search.press('ArrowDown');
    await eventually('a row', async () => (await search.getAttribute('aria-activedescendant')) !== null);
    const active = (await search.getAttribute('aria-activedescendant'))?.replace('chat-', '');
    await search.press('F2');
    const title = shown.page.getByRole('textbox', { name: 'Title of the chat' });
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
    const meter = shown.page.getByTitle('Breakdown of the request');
    const breakdown = shown.page.getByRole('heading', { name: 'This request' });
    await meter.press('Space');
    await breakdown.waitFor();
    await meter.press('Escape');
    await breakdown.waitFor({ state: 'detached' });
  });

  it('reach the attachments of the message from its start, and its tools, by Tab alone', async () => {
    await shown.gallery.show('attached');
    await composer().focus();
    await shown.page.keyboard.press('Shift+Tab');
    await shown.page.getByRole('button', { name: 'Remove screenshot.png' }).and(focused()).waitFor();
    await shown.page.keyboard.press('Enter');
    assert.deepEqual(await shown.gallery.awaitPosted('detach'), { type: 'detach', attachmentId: 'a6' });
  });
});
