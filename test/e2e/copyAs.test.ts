import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Editor } from '../support/editor/editor.ts';
import { newChat, sandboxEditor } from '../support/editor/sharedEditors.ts';
import { eventually } from '../support/eventually.ts';

const run = promisify(execFile);

describe('copying a chat as a program', () => {
  let editor: Editor;

  before(async () => {
    editor = await sandboxEditor();
  });
  afterEach(async () => {
    const { workbench } = editor;
    await workbench.clearNotifications();
    await workbench.closeAllEditors();
    await workbench.stopGateway();
  });

  /** Copies in a language, and returns the text on the clipboard. */
  async function copyAs(language: string, mark: string): Promise<string> {
    const { workbench } = editor;
    await workbench.runCommand('Model Access: Copy Chat as…');
    await workbench.quickInput.row(language).waitFor();
    await editor.screenshot(`copy as ${language}`);
    await workbench.quickInput.pick(language);
    await workbench.notifications.waitFor('Copied.');
    await eventually('the program', async () => (await workbench.readClipboard()).includes(mark));
    return workbench.readClipboard();
  }

  it('copies a command that sends the same question through the gateway', async () => {
    const { workbench } = editor;
    const chat = await newChat(editor);
    await chat.askAndWait('echo: it’s "copied" for $HOME');
    const command = await copyAs('curl', 'curl --no-buffer');
    assert.match(command, /'http:\/\/127\.0\.0\.1:\d+\/api\/v1\/messages'/);
    assert.doesNotMatch(command, /key_/);

    await workbench.notifications.choose('Copied.', 'Copy Local Key');
    await eventually('the local key', async () => (await workbench.readClipboard()).startsWith('key_'));
    const env = { ...process.env, MODEL_ACCESS_API_KEY: await workbench.readClipboard() };
    const { stdout } = await run('bash', ['-c', command], { env });
    assert.match(stdout, /event: message_start/);
    assert.match(stdout, /\\"copied\\"/);
    assert.match(stdout, /\$HOME/);
  });

  it('shows the program on request, including the unsent draft', async () => {
    const { workbench } = editor;
    const chat = await newChat(editor);
    await chat.composer.fill('A draft for Python');
    // The host has the draft by then.
    await chat.countedTokens();
    await copyAs('Python', 'A draft for Python');
    await workbench.notifications.choose('Copied.', 'Show');
    await editor.page.locator('.part.editor .view-lines').filter({ hasText: 'from anthropic import' }).waitFor();
    await editor.screenshot('program shown');
    await chat.composer.fill('');
  });

  it('reports that there is nothing to copy in a new chat', async () => {
    await newChat(editor);
    await editor.workbench.runCommand('Model Access: Copy Chat as…');
    await editor.workbench.notifications.waitFor('There is nothing to copy yet');
  });
});
