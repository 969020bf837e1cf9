import assert from 'node:assert/strict';
import type { Editor } from '../support/editor/editor.ts';
import { newChat, sandboxEditor } from '../support/editor/sharedEditors.ts';
import { SideView } from '../support/editor/sideView.ts';

describe('the models view', () => {
  let editor: Editor;
  let view: SideView;

  before(async () => {
    editor = await sandboxEditor();
    // Makes all rows visible, because a list renders no others.
    await editor.page.setViewportSize({ width: 1280, height: 1600 });
    await editor.changeSettings({
      'modelAccess.upstreams': [
        { id: 'local', baseUrl: 'http://127.0.0.1:9/v1', formats: ['chat-completions'], models: ['llama-small'] },
      ],
    });
    view = new SideView(editor.page, editor.workbench, 'Models');
  });
  after(async () => {
    await editor.changeSettings({ 'modelAccess.upstreams': [] });
    await editor.page.setViewportSize({ width: 1280, height: 800 });
    await editor.workbench.runCommand('View: Show Explorer');
    const chat = await newChat(editor);
    await chat.chooseModel('familya-sonnet-4.6');
  });
  beforeEach(() => view.show());

  it('lists the catalog by family with context windows, prices, and capabilities', async () => {
    await view.row(/^Family A5$/).waitFor();
    // The rows are rendered again for the upstream, which would move them away from the pointer.
    await view.row('Upstream “local”').waitFor();
    await view.row(/^opus-4\.6\s*\$5\/\$25 · 1M$/).click();
    await view.row(/^Supports\s*tools, images, reasoning$/).waitFor();
    await view.row(/^Served by\s*the sandbox$/).waitFor();
    await editor.screenshot('models view');
    await view.row('opus-4.6').click();
    await view.row('Upstream “local”').waitFor();
  });

  it('keeps favorites at the top and uses a model in the chat', async () => {
    const chat = await newChat(editor);
    await view.show();
    const model = /^5\.4/;
    await view.pressFor(view.row(/^Favorites1$/), model, 'Add to Favorites');
    const picker = chat.frame.getByRole('button', { name: 'Model: familyc-5.4' });
    await view.pressFor(picker, model, 'Use in This Chat');
    // The rows are rendered again for the new default, and a button that is clicked meanwhile disappears.
    await view.row(/^New chats\s*familyc-5\.4$/).waitFor();
    await view.row(/^5\.4 ✓/).waitFor();
    await view.pressFor(view.row(/^Favorites/), model, 'Remove from Favorites', 'detached');
  });

  it('sets a default for a use from a model’s row and resets it from the list', async () => {
    const { quickInput } = editor.workbench;
    await view.choose('3.1-pro', 'Set as Default for', 'Commit Messages');
    await view.row(/^Commit messages\s*familyb-3\.1-pro$/).waitFor();
    await view.row('Commit messages').click();
    await quickInput.pick('Same as chat');
    await view.row(/^Commit messages\s*same as chat$/).waitFor();
  });

  it('shows the raw entry in an editor that closes without a save prompt', async () => {
    const { page, workbench } = editor;
    const tab = page.locator('.tab').filter({ hasText: 'familyd-code-fast-1.json' });
    await view.chooseFor(tab, 'code-fast-1', 'Show Raw Entry');
    await workbench.textEditor.waitForTab('familyd-code-fast-1.json');
    await page.locator('.editor-instance .view-lines').getByText('"familyd-code-fast-1"').first().waitFor();
    await workbench.runCommand('View: Close Editor');
    await tab.waitFor({ state: 'detached' });
    assert.equal(await page.locator('.monaco-dialog-box').count(), 0);
  });
});
