import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatPanel } from '../support/editor/chatPanel.ts';
import type { Editor } from '../support/editor/editor.ts';
import { writtenText } from '../support/editor/files.ts';
import { tabFrame } from '../support/editor/pageFrames.ts';
import { newChat, sandboxEditor } from '../support/editor/sharedEditors.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';

describe('a chat', () => {
  let editor: Editor;
  let chat: ChatPanel;

  before(async () => {
    editor = await sandboxEditor();
  });
  beforeEach(async () => {
    chat = await newChat(editor);
  });

  describe('with the editor’s dialogs', () => {
    for (const [name, ending] of [
      ['Markdown', 'md'],
      ['JSON', 'json'],
    ] as const) {
      it(`is exported as ${name} and imported again`, async () => {
        const { workbench } = editor;
        const question = `echo: goes out as ${name}`;
        await chat.askAndWait(question);
        const path = join(editor.workspace, `exported.${ending}`);
        await rm(path, { force: true });
        await workbench.quickInput.enterPath(() => workbench.runCommand('Model Access: Export Chat…'), path);
        assert.ok((await writtenText(path, '\n')).includes(question));
        chat = await newChat(editor);
        await workbench.quickInput.enterPath(() => workbench.runCommand('Model Access: Import Chats…'), path);
        await chat.answers.filter({ hasText: `goes out as ${name}` }).waitFor();
        await eventuallyEqual(() => chat.turns.count(), 2);
      });
    }
  });

  it('moves into a tab of the editor, in which it goes on beside the panel', async () => {
    const { workbench } = editor;
    await chat.askAndWait('echo: in the tab');
    await workbench.runCommand('Model Access: Move Chat to Editor Tab');
    const tab = tabFrame(editor.page);
    await tab.getByText('in the tab').first().waitFor();
    // The panel shows the new chat that was left last, with what was not sent in it.
    await chat.clearComposer();
    await chat.askAndWait('echo: in the panel');
    await editor.screenshot('conversation in a tab');
    await tab.getByRole('textbox').first().fill('echo: on in the tab');
    await tab.getByRole('textbox').first().press('Enter');
    await tab.getByText('on in the tab').nth(1).waitFor();
    await eventuallyEqual(() => chat.turns.count(), 2);
    await workbench.runCommand('View: Close Editor');
  });

  it('is exported as a page with the selected keys and paths redacted', async () => {
    const { workbench } = editor;
    const key = `ghp_${'a1'.repeat(20)}`;
    await chat.askAndWait(`echo: shares ${key} of ${editor.workspace}/src`);
    const path = join(editor.workspace, 'shared.html');
    await rm(path, { force: true });
    await workbench.quickInput.enterPath(() => workbench.runCommand('Model Access: Export Chat…'), path);
    await workbench.quickInput.root.getByText('Keys and passwords').waitFor();
    await editor.screenshot('conversation export page');
    await workbench.quickInput.root.getByRole('button', { name: 'OK' }).click();
    const page = await writtenText(path, '</html>\n');
    assert.match(page, /shares \[redacted\] of /);
    assert.ok(!page.includes(key) && !page.includes(editor.workspace));
    await rm(path);
  });

  it('shows the answers of three models in columns in a wide panel and continues from the one kept', async () => {
    await editor.workbench.setSecondarySideBarWidth(700);
    await chat.modelPicker.click();
    await chat.frame.getByRole('button', { name: 'Ask several models side by side' }).click();
    const options = chat.frame.getByRole('listbox', { name: 'Models' }).getByRole('option');
    for (const model of ['familya-haiku-4.5', 'familyc-5.4']) await options.filter({ hasText: model }).first().click();
    await chat.frame.getByRole('button', { name: 'Done' }).click();
    await chat.ask('echo: three at once');
    const keep = chat.frame.getByRole('button', { name: /^Keep /, disabled: false });
    await keep.nth(2).waitFor();
    await eventually('three columns', async () => {
      const boxes = await Promise.all([0, 1, 2].map((index) => keep.nth(index).boundingBox()));
      return new Set(boxes.map((box) => Math.round(box?.x ?? -1))).size === 3;
    });
    await chat.composer.fill('echo: and on');
    await chat.composer.press('Enter');
    await chat.composer.and(chat.frame.locator('[placeholder="Keep one answer to continue"]')).waitFor();
    await editor.screenshot('conversation three models');
    await chat.frame.getByRole('button', { name: 'Keep familya-haiku-4.5' }).press('Enter');
    await chat.answers.getByText(/^[123] \/ 3$/).waitFor();
    await chat.composer.press('Enter');
    await chat.waitForAnswer(1);
    await eventuallyEqual(() => chat.turns.count(), 4);
    await editor.workbench.setSecondarySideBarWidth(420);
  });

  it('receives focus from the editor by keyboard shortcut, with or without the selection', async () => {
    const { page, workbench } = editor;
    await chat.askAndWait('echo: before the keys');
    await workbench.textEditor.open('src/session.ts');
    await workbench.textEditor.selectLines(2, 3);
    await page.keyboard.press('Control+Alt+Shift+M');
    await chat.frame.getByRole('button', { name: 'Remove session.ts:2–3' }).waitFor();
    await chat.composer.and(chat.frame.locator(':focus')).waitFor();
    await workbench.textEditor.focus();
    await page.keyboard.press('Control+Alt+M');
    await chat.composer.and(chat.frame.locator(':focus')).waitFor();
    await workbench.closeAllEditors();
  });
});
