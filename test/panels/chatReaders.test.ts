/** The chat panel for all readers: other scripts, large text, no pointer, no motion. In a plain browser. */
import assert from 'node:assert/strict';
import { answer, user } from '../gallery/chat/samples.ts';
import { THEMES } from '../gallery/shared/themes.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { galleryForEach } from '../support/panels/galleryForEach.ts';

/** How often Tab is pressed in each state. */
const TABS = 30;

const HEBREW = 'הפונקציה `refresh` שולחת **שתי** בקשות';

describe('the chat panel for all users', () => {
  const shown = galleryForEach();

  const style = (selector: string, property: string) =>
    shown.page.evaluate<string>(
      `getComputedStyle(document.querySelector(${JSON.stringify(selector)}))[${JSON.stringify(property)}]`,
    );

  describe('with right-to-left text', () => {
    beforeEach(async () => {
      await shown.gallery.show('conversation');
      const text = `${HEBREW}\n\n- ${HEBREW}\n\n> ${HEBREW}\n\n\`\`\`ts\nconst a = 1;\n\`\`\`\n\nIn English again.`;
      await shown.gallery.tell({ type: 'turns', from: 0, turns: [user('u9', HEBREW), answer('b9', text)] });
      await shown.page.locator('.answer .code').waitFor();
    });

    it('shows each block of an answer in its own direction', async () => {
      for (const block of ['p:first-child', 'ul', 'blockquote']) {
        assert.equal(await style(`.answer .section > ${block}`, 'direction'), 'rtl', block);
      }
      assert.equal(await style('.answer .section > p:last-of-type', 'direction'), 'ltr');
    });

    it('shows code left to right, in blocks and inline', async () => {
      for (const code of ['.answer pre', '.answer p > code']) {
        assert.equal(await style(code, 'direction'), 'ltr');
        assert.equal(await style(code, 'unicodeBidi'), 'isolate');
      }
    });

    it('shows list markers and quote borders on the side where a line starts', async () => {
      assert.equal(await style('.answer .section > ul', 'paddingRight'), '20px');
      assert.equal(await style('.answer .section > ul', 'paddingLeft'), '0px');
      assert.notEqual(await style('.answer .section > blockquote', 'borderRightWidth'), '0px');
    });

    it('enters text from right to left and isolates model names', async () => {
      const draft = shown.page.getByRole('textbox', { name: 'Message' });
      await draft.fill('שלום');
      assert.equal(await style('.composer textarea', 'direction'), 'rtl');
      assert.equal(await style('.user-text', 'unicodeBidi'), 'plaintext');
      assert.equal(await shown.page.locator('bdi.model-name').first().textContent(), 'familya-sonnet-4.6');
    });
  });

  it('lays out long paragraphs without kerning, because breaking their lines would take seconds', async () => {
    await shown.gallery.show('conversation');
    const text = `${'(a) '.repeat(600)}\n\n${'(a) '.repeat(400)}`;
    await shown.gallery.tell({ type: 'turns', from: 0, turns: [user('u9', 'Go on'), answer('b9', text)] });
    await shown.page.locator('.answer .section > p').nth(1).waitFor();
    assert.equal(await style('.answer .section > p', 'textRendering'), 'optimizespeed');
    assert.equal(await style('.answer .section:last-child > p', 'textRendering'), 'auto');
  });

  it('shows the whole model picker in a low window', async () => {
    await shown.page.setViewportSize({ width: 350, height: 220 });
    await shown.gallery.show('models');
    const box = await shown.page.locator('.popover.models').boundingBox();
    assert.ok(box !== null && box.y >= 0 && box.y + box.height <= 220, JSON.stringify(box));
    assert.ok((await shown.page.getByRole('combobox', { name: 'Choose a model' }).boundingBox())?.height);
  });

  it('shows the cache prices of the model under the pointer', async () => {
    await shown.gallery.show('models');
    const footer = shown.page.locator('.list-footer');
    await shown.page.getByRole('option', { name: /familya-opus-4\.5/ }).hover();
    const said = 'Cache / 1M: $0.50 read, $6.25 write';
    await footer.filter({ hasText: said }).waitFor();
  });

  it('closes the model comparison with Escape after rows were clicked', async () => {
    await shown.gallery.show('models');
    await shown.page.getByRole('button', { name: 'Ask several models side by side' }).click();
    await shown.page.getByRole('option').nth(1).click();
    await shown.page.keyboard.press('Escape');
    await shown.page.locator('.popover').waitFor({ state: 'detached' });
    assert.equal(await shown.page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Message');
  });

  it('keeps the meter in view in a low and narrow panel with a long note above the composer', async () => {
    await shown.page.setViewportSize({ width: 160, height: 400 });
    await shown.gallery.show('over-window');
    const meter = await shown.page.locator('.meter').boundingBox();
    const message = await shown.page.locator('.composer').boundingBox();
    assert.ok(meter !== null && message !== null);
    assert.ok(meter.y >= message.y + message.height, 'The meter covers the message.');
    assert.ok(meter.y + meter.height <= 400, 'The meter is out of sight.');
  });

  it('attaches long pasted text as a file', async () => {
    await shown.gallery.show('empty');
    await shown.page.evaluate(`
      const data = new DataTransfer();
      data.setData('text/plain', 'x'.repeat(2 * 1024 * 1024));
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    `);
    const posted = await shown.gallery.awaitPosted('attachContent');
    assert.ok(posted?.type === 'attachContent');
    assert.deepEqual([posted.name, posted.bytes], ['Pasted text.txt', 2 * 1024 * 1024]);
    assert.equal(Buffer.from(posted.data ?? '', 'base64').length, 2 * 1024 * 1024);
    assert.equal(await shown.page.getByRole('textbox', { name: 'Message' }).inputValue(), '');
  });

  it('attaches a copied file whose name is beside it in the clipboard, and pastes other text', async () => {
    await shown.gallery.show('empty');
    const pasted = (text: string) =>
      shown.page.evaluate(`(() => {
        const data = new DataTransfer();
        data.setData('text/plain', ${JSON.stringify(text)});
        data.items.add(new File(['pixels'], 'diagram.png', { type: 'image/png' }));
        const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
        document.activeElement.dispatchEvent(event);
        return event.defaultPrevented;
      })()`);
    assert.equal(await pasted('A table\tof 2 columns'), false);
    assert.equal(await shown.gallery.lastPosted('attachContent'), undefined);
    assert.equal(await pasted('diagram.png'), true);
    const posted = await shown.gallery.awaitPosted('attachContent');
    assert.equal(posted?.type === 'attachContent' && posted.name, 'diagram.png');
  });

  for (const theme of THEMES) {
    it(`ensures that the user sees where the focus is in the ${theme} theme`, async () => {
      const faults: string[] = [];
      for (const state of ['conversation', 'markdown', 'tool-calls', 'failed-credit', 'parameters', 'history']) {
        await shown.gallery.show(state, { theme });
        const watch = await shown.page.evaluateHandle(watchFocus);
        for (let step = 0; step < TABS; step += 1) await shown.page.keyboard.press('Tab');
        const { presses, unseen } = await watch.evaluate(({ stop }) => stop());
        assert.equal(presses, TABS, state);
        faults.push(...unseen.map((fault) => `${state}: ${fault}`));
      }
      assert.deepEqual([...new Set(faults)], []);
    });
  }

  it('has no running animations if reduced motion is preferred', async () => {
    await shown.page.emulateMedia({ reducedMotion: 'reduce' });
    for (const state of ['streaming', 'waiting', 'reasoning', 'retrying', 'history-loading']) {
      await shown.gallery.show(state, { motion: 'allow' });
      const moving = await shown.page.evaluate<string[]>(
        'document.getAnimations().filter((a) => a.playState === "running" && a.timeline instanceof DocumentTimeline).map((a) => a.animationName ?? a.transitionProperty)',
      );
      assert.deepEqual(moving, [], state);
    }
  });

  describe('with an input method', () => {
    it('does not send an edited question on the Enter that ends a composition', async () => {
      await shown.gallery.show('editing');
      const field = shown.page.getByRole('textbox', { name: 'Edit the message' });
      await field.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true });
      assert.equal(await shown.gallery.lastPosted('edit'), undefined);
      await field.waitFor();
    });

    it('does not rename a chat on the Enter that ends a composition, also if the browser only gives its code', async () => {
      await shown.gallery.show('history');
      await shown.page
        .getByRole('button', { name: /^Rename / })
        .first()
        .click();
      const title = shown.page.locator('.title-field');
      await title.dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true });
      await title.press('End');
      await title.press('Enter');
      await shown.gallery.awaitPosted('renameConversation');
      const renamed = (await shown.gallery.posted()).filter(({ type }) => type === 'renameConversation');
      assert.equal(renamed.length, 1);
    });

    it('does not choose a model, open a chat, or use a prompt on the Enter that ends a composition', async () => {
      await shown.gallery.show('models');
      const filter = shown.page.getByRole('combobox', { name: 'Choose a model' });
      await filter.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true });
      await filter.waitFor();
      await shown.gallery.show('history');
      const search = shown.page.getByRole('combobox', { name: 'Search titles and messages' });
      await search.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true });
      await search.waitFor();
      await shown.gallery.show('prompts');
      const draft = shown.page.getByRole('textbox', { name: 'Message' });
      await draft.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true });
      const types = (await shown.gallery.posted()).map(({ type }) => type);
      for (const type of ['chooseModel', 'openConversation', 'usePrompt', 'send'] as const) {
        assert.equal(types.includes(type), false, type);
      }
    });
  });

  it('moves controls that do not fit into a narrow panel to the menu next to the composer', async () => {
    await shown.gallery.show('conversation');
    await shown.page.setViewportSize({ width: 220, height: 640 });
    assert.equal(await shown.page.getByRole('button', { name: 'Format: messages' }).isVisible(), false);
    await shown.page.getByRole('button', { name: 'More', exact: true }).press('Enter');
    const format = shown.page.getByRole('menuitem', { name: 'Format: messages' });
    await format.and(shown.page.locator(':focus')).waitFor();
    await shown.page.keyboard.press('ArrowDown');
    await shown.page.getByRole('menuitem', { name: 'Parameters' }).and(shown.page.locator(':focus')).waitFor();
    await shown.page.keyboard.press('Escape');
    await shown.page.getByRole('textbox', { name: 'Message' }).and(shown.page.locator(':focus')).waitFor();
    await shown.page.getByRole('button', { name: 'More', exact: true }).click();
    await format.press('Enter');
    await shown.page.getByRole('listbox', { name: 'Request format' }).press('ArrowDown');
    await shown.page.keyboard.press('Enter');
    assert.deepEqual(await shown.gallery.awaitPosted('chooseFormat'), { type: 'chooseFormat', format: 'responses' });
    await shown.page.setViewportSize({ width: 340, height: 640 });
    await shown.page.getByRole('button', { name: 'More', exact: true }).waitFor({ state: 'hidden' });
  });

  it('moves the focus of a menu with the pointer, so that one item at a time is highlighted', async () => {
    await shown.gallery.show('conversation');
    await shown.page.getByRole('button', { name: 'More actions for this answer' }).last().click();
    await shown.page
      .getByRole('menuitem', { name: /^Ask another model/ })
      .and(shown.page.locator(':focus'))
      .waitFor();
    const other = shown.page.getByRole('menuitem', { name: /^Fork into a new chat/ });
    await other.hover();
    await other.and(shown.page.locator(':focus')).waitFor();
  });

  it('edits the last question with Up in an empty composer and cancels with Escape', async () => {
    await shown.gallery.show('conversation');
    const draft = shown.page.getByRole('textbox', { name: 'Message' });
    await draft.press('ArrowUp');
    assert.equal(await shown.page.getByRole('textbox', { name: 'Edit the message' }).count(), 0);
    await draft.fill('');
    await draft.press('ArrowUp');
    const field = shown.page.getByRole('textbox', { name: 'Edit the message' });
    await field.and(shown.page.locator(':focus')).waitFor();
    await field.press('Escape');
    await field.waitFor({ state: 'detached' });
    await draft.and(shown.page.locator(':focus')).waitFor();
  });

  it('moves to the first and last turn with Home and End, and between answers with Left and Right', async () => {
    await shown.gallery.show('conversation');
    const turns = shown.page.getByRole('article');
    await turns.last().focus();
    await shown.page.keyboard.press('Home');
    await turns.first().and(shown.page.locator(':focus')).waitFor();
    await shown.page.keyboard.press('End');
    await turns.last().and(shown.page.locator(':focus')).waitFor();
    await shown.gallery.show('comparison');
    const tabs = shown.page.getByRole('tab');
    await tabs.first().focus();
    await shown.page.keyboard.press('ArrowRight');
    await tabs.nth(1).and(shown.page.locator(':focus')).waitFor();
    await shown.page.keyboard.press('ArrowLeft');
    await tabs.first().and(shown.page.locator(':focus')).waitFor();
  });

  it('navigates the history by typing and with the arrow keys, F2, and Escape', async () => {
    await shown.gallery.show('history');
    const search = shown.page.getByRole('combobox', { name: 'Search titles and messages' });
    await shown.page.getByRole('option').first().waitFor();
    await search.press('ArrowDown');
    await eventually(
      'a row that the keys are at',
      async () => (await search.getAttribute('aria-activedescendant')) !== null,
    );
    await search.press('F2');
    const name = shown.page.getByRole('textbox').and(shown.page.locator(':focus'));
    await name.waitFor();
    await shown.page.keyboard.press('Escape');
    await search.fill('tides');
    await search.press('Escape');
    assert.equal(await search.inputValue(), '');
    await search.press('Escape');
    await shown.page.getByRole('textbox', { name: 'Message' }).waitFor();
  });

  it('filters the history with the keyboard, shows the active filters, and removes them', async () => {
    await shown.gallery.show('history');
    const search = shown.page.getByRole('combobox', { name: 'Search titles and messages' });
    const rows = shown.page.getByRole('option');
    await rows.first().waitFor();
    const all = await rows.count();
    await search.press('Shift+Tab');
    const button = shown.page.getByRole('button', { name: 'Filter' });
    await button.and(shown.page.locator(':focus')).waitFor();
    await shown.page.keyboard.press('Enter');
    const pinned = shown.page.getByRole('menuitemcheckbox', { name: 'Pinned' });
    await pinned.and(shown.page.locator(':focus')).waitFor();
    await shown.page.keyboard.press('Space');
    await pinned.and(shown.page.locator('[aria-checked="true"]')).waitFor();
    await rows.nth(2).waitFor({ state: 'detached' });
    await shown.page.keyboard.press('ArrowDown');
    await shown.page.keyboard.press('ArrowDown');
    await shown.page.keyboard.press('ArrowDown');
    await shown.page.keyboard.press('Enter');
    await shown.page.getByText('No chats match.').waitFor();
    await shown.page.keyboard.press('Escape');
    await search.and(shown.page.locator(':focus')).waitFor();
    const applied = shown.page.getByRole('list', { name: 'Filter' });
    await applied.getByText('Pinned').waitFor();
    await applied.getByRole('button', { name: 'Remove familya-haiku-4.5' }).click();
    await rows.nth(1).waitFor();
    const narrowed = { type: 'history', query: '', filter: { pinned: true }, limit: 100 };
    await eventuallyEqual<unknown>(() => shown.gallery.lastPosted('history'), narrowed);
    await applied.getByRole('button', { name: 'Remove Pinned' }).click();
    await rows.nth(all - 1).waitFor();
    await applied.waitFor({ state: 'detached' });
  });
});

/** Looks in the page at what has the focus after each key, because asking the page after each key takes longer. */
function watchFocus(): { stop(): { presses: number; unseen: string[] } } {
  const probe = (document.querySelector('.panel') as Element).appendChild(document.createElement('i'));
  probe.style.color = 'var(--focus)';
  const focusColor = getComputedStyle(probe).color;
  probe.remove();
  const isSeen = (element: Element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) return true;
    let box: Element | null = element;
    for (let levels = 0; box !== null && levels < 4; box = box.parentElement, levels += 1) {
      if (getComputedStyle(box).borderTopColor === focusColor) return true;
    }
    return false;
  };
  const unseen: string[] = [];
  let presses = 0;
  const look = () => {
    presses += 1;
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body || isSeen(activeElement)) return;
    unseen.push(activeElement.outerHTML.slice(0, 120));
  };
  window.addEventListener('keyup', look, true);
  return {
    stop() {
      window.removeEventListener('keyup', look, true);
      return { presses, unseen };
    },
  };
}
