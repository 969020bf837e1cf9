/** The keys of `docs/keyboard.md` that no other suite presses, in the panel in a plain browser. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type Gallery, startGallery } from '../../scripts/lib/galleryServer.ts';
import type { PanelMessage } from '../../src/editor/chat/protocol.ts';
import { eventually } from '../support/editor/eventually.ts';
import { sharedBrowser } from '../support/editor/sharedBrowser.ts';

describe('the keys of the chat', () => {
  let gallery: Gallery;
  let page: Page;

  before(async () => {
    gallery = await startGallery();
  });
  after(() => gallery.stop());
  beforeEach(async () => {
    const context = await (await sharedBrowser()).newContext({ viewport: { width: 340, height: 640 } });
    page = await context.newPage();
  });
  afterEach(() => page.context().close());

  async function open(state: string): Promise<void> {
    await page.goto(`${gallery.address}?${new URLSearchParams({ state, motion: 'reduce' })}`);
    await page.locator('.composer, .history-page').waitFor();
  }

  const focused = () => page.locator(':focus');
  const composer = () => page.getByRole('textbox', { name: 'Message' });

  /** Waits until the panel has posted a message of a kind, and gives the last one. */
  async function posted(type: PanelMessage['type']): Promise<PanelMessage | undefined> {
    let last: PanelMessage | undefined;
    await eventually(`a message “${type}”`, async () => {
      last = (await page.evaluate<PanelMessage[]>('posted')).findLast((message) => message.type === type);
      return last !== undefined;
    });
    return last;
  }

  it('begin a new chat with Ctrl+N, from wherever the focus is', async () => {
    await open('conversation');
    await page.getByRole('article').last().press('Control+n');
    assert.deepEqual(await posted('newConversation'), { type: 'newConversation' });
  });

  it('lead into a turn with Tab: to its code, its links and its actions', async () => {
    await open('conversation');
    await page.getByRole('article').last().focus();
    const reached = new Set<string>();
    for (let step = 0; step < 24; step += 1) {
      await page.keyboard.press('Tab');
      reached.add(await focused().evaluate((element) => element.getAttribute('aria-label') ?? element.tagName));
    }
    for (const name of ['PRE', 'Copy code', 'Apply to file', 'Copy answer', 'Message'])
      assert.ok(reached.has(name), name);
  });

  it('move through the prompts with Up and Down, take one with Enter and leave them with Escape', async () => {
    await open('prompts');
    const options = page.getByRole('option');
    await options.nth(2).waitFor();
    await composer().press('ArrowDown');
    await composer().press('ArrowDown');
    await composer().press('ArrowUp');
    await options.nth(1).and(page.locator('[aria-selected="true"]')).waitFor();
    await composer().press('Enter');
    assert.deepEqual(await posted('usePrompt'), { type: 'usePrompt', promptId: 'p2' });
    await open('prompts');
    await options.nth(2).waitFor();
    await composer().press('Escape');
    await options.first().waitFor({ state: 'detached' });
    await composer().and(focused()).waitFor();
  });

  it('list what can be attached with @, and attach with Enter', async () => {
    await open('context');
    await page.getByRole('option').first().waitFor();
    await composer().press('ArrowDown');
    await composer().press('Enter');
    assert.deepEqual(await posted('attach'), { type: 'attach', choiceId: 'terminal' });
    assert.equal(await composer().inputValue(), 'Why does ');
  });

  it('list the prompts with a slash at the start', async () => {
    await open('conversation');
    await composer().fill('');
    await composer().press('/');
    await posted('listPrompts');
  });

  it('send an edited question with Enter', async () => {
    await open('editing');
    const field = page.getByRole('textbox', { name: 'Edit the message' });
    await field.fill('Asked in another way');
    await field.press('Enter');
    assert.deepEqual(await posted('edit'), { type: 'edit', turnId: 'u2', text: 'Asked in another way' });
  });

  it('open a chat of the history with Down and Enter, and rename one with F2 and Enter', async () => {
    await open('history');
    const search = page.getByRole('combobox', { name: 'Search titles and messages' });
    await page.getByRole('option').first().waitFor();
    await search.press('Home');
    await search.press('ArrowDown');
    await eventually('a row', async () => (await search.getAttribute('aria-activedescendant')) !== null);
    const active = (await search.getAttribute('aria-activedescendant'))?.replace('chat-', '');
    await search.press('F2');
    const title = page.getByRole('textbox', { name: 'Title of the chat' });
    await title.fill('Another title');
    await title.press('Enter');
    const renamed = { type: 'renameConversation', conversationId: active, title: 'Another title' };
    assert.deepEqual(await posted('renameConversation'), renamed);
    await search.and(focused()).waitFor();
    await search.press('Enter');
    assert.deepEqual(await posted('openConversation'), { type: 'openConversation', conversationId: active });
  });

  it('open the breakdown with Space and close it with Escape', async () => {
    await open('conversation');
    const meter = page.getByTitle('What the request is made of');
    const breakdown = page.getByRole('heading', { name: 'This request' });
    await meter.press('Space');
    await breakdown.waitFor();
    await meter.press('Escape');
    await breakdown.waitFor({ state: 'detached' });
  });

  it('reach the attachments of the message from its start, and its tools, by Tab alone', async () => {
    await open('attached');
    await composer().focus();
    await page.keyboard.press('Shift+Tab');
    await page.getByRole('button', { name: 'Remove screenshot.png' }).and(focused()).waitFor();
    await page.keyboard.press('Enter');
    assert.deepEqual(await posted('detach'), { type: 'detach', attachmentId: 'a6' });
  });
});
