import assert from 'node:assert/strict';
import type { Editor } from '../support/editor/editor.ts';
import { freshEditor } from '../support/editor/sharedEditors.ts';

const BALANCE = 'modelAccess.balance';

describe('the first run without a key', () => {
  let editor: Editor;

  before(async () => {
    editor = await freshEditor();
  });

  it('shows the welcome view automatically after installation', async () => {
    await editor.chat.frame.getByRole('heading', { name: 'Know the price before you send' }).waitFor();
  });

  it('shows a setup prompt in the status bar, which opens the welcome view', async () => {
    const { workbench, chat } = editor;
    await workbench.waitForStatusBar(BALANCE, 'Set up Model Access');
    await workbench.statusBarItem(BALANCE).click();
    await chat.frame.getByRole('heading', { name: 'Know the price before you send' }).waitFor();
    await chat.frame.getByRole('button', { name: 'Enter a key' }).waitFor();
    await chat.frame.getByRole('button', { name: /^Try the sandbox/ }).waitFor();
    assert.equal(await chat.composer.count(), 0);
    await editor.screenshot('first run');
  });

  it('offers setup when a command requires a connection', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Model Access: Show Balance');
    await workbench.notifications.waitFor('This requires a service key');
    await editor.screenshot('first run command');
    await workbench.notifications.choose('This requires a service key', 'Set Service Key');
    await workbench.quickInput.title.getByText('Service key').waitFor();
    await workbench.quickInput.cancel();
  });

  it('asks for the key after a click on the panel’s button', async () => {
    const chat = await editor.openChat();
    await chat.frame.getByRole('button', { name: 'Enter a key' }).click();
    await editor.workbench.quickInput.title.getByText('Service key').waitFor();
    await editor.workbench.quickInput.cancel();
  });

  it('shows what data is sent and where', async () => {
    const chat = await editor.openChat();
    await chat.frame.getByRole('button', { name: 'What is sent, and where' }).click();
    const preview = editor.page.frameLocator('iframe.webview[src*="markdown"]').frameLocator('iframe#active-frame');
    await preview.getByRole('heading').first().waitFor();
    await editor.screenshot('first run privacy');
    await editor.workbench.closeAllEditors();
  });

  it('starts the sandbox, which answers immediately, and leaves it again', async () => {
    const { workbench } = editor;
    const chat = await editor.openChat();
    assert.equal(await workbench.offersCommand('Model Access: Leave the Sandbox'), false);
    await chat.frame.getByRole('button', { name: /^Try the sandbox/ }).click();
    await chat.composer.waitFor();
    await workbench.waitForStatusBar(BALANCE, /Sandbox · \$25\.00/);
    await editor.screenshot('first run sandbox');
    const answer = await chat.askAndWait('Hello');
    await answer.getByText(/real model/i).waitFor();
    await workbench.runCommand('Model Access: Leave the Sandbox');
    await chat.frame.getByRole('button', { name: 'Enter a key' }).waitFor();
    await workbench.waitForStatusBar(BALANCE, 'Set up Model Access');
  });
});
