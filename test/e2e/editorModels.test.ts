import assert from 'node:assert/strict';
import type { Editor } from '../support/editor/editor.ts';
import { sandboxEditor } from '../support/editor/sharedEditors.ts';

/** A model of the extension in `test/fixtures/modelExtension`. */
const MODEL = 'editor/acme/raven-1';

describe('a model of another extension that requires consent', () => {
  let editor: Editor;
  let address: string;
  let key: string;

  before(async () => {
    editor = await sandboxEditor();
    const { workbench } = editor;
    await editor.changeSettings({ 'modelAccess.gateway.editorModels': true });
    await workbench.runCommand('Model Access: Start Gateway');
    await workbench.waitForStatusBar('modelAccess.status', /\d{4,5}/);
    address = await copied('Copy Gateway Address', 'Address copied');
    key = await copied('Copy Local Key', 'Local key copied');
  });
  after(async () => {
    await editor.workbench.stopGateway();
    await editor.changeSettings({ 'modelAccess.gateway.editorModels': false });
    await editor.workbench.clearNotifications();
  });

  const copied = async (command: string, done: string): Promise<string> => {
    await editor.workbench.runCommand(`Model Access: ${command}`);
    await editor.page.locator('.part.statusbar').getByText(done).waitFor();
    return editor.workbench.readClipboard();
  };
  const ask = async () => {
    const body = { model: MODEL, max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] };
    const answer = await fetch(`${address}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, text: await answer.text() };
  };

  it('is not called if the user denies access in the editor’s dialog, and answers once allowed', async () => {
    const { dialog } = editor.workbench.notifications;
    const refused = ask();
    await dialog.waitFor();
    await editor.screenshot('consent to a model of another extension');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    const { status, text } = await refused;
    assert.equal(status, 403);
    assert.match(text, /permission_error.*Allow it in the dialog/);
    const allowed = ask();
    await dialog.getByRole('button', { name: 'Allow' }).click();
    assert.match((await allowed).text, /Heard: Hello/);
    assert.equal((await ask()).status, 200, 'the editor asks once');
  });
});
