import assert from 'node:assert/strict';
import type { ChatPanel } from '../support/editor/chatPanel.ts';
import { type Editor, openEditor } from '../support/editor/editor.ts';

describe('the prompts of a person', () => {
  let editor: Editor;
  let chat: ChatPanel;

  before(async () => {
    editor = await openEditor({
      name: 'prompts',
      settings: { 'modelAccess.sandbox.enabled': true, 'modelAccess.gateway.port': 0 },
      files: {
        '.model-access/prompts/explain.md': `---\ndescription: To someone new\n---\nExplain $\{file} briefly.\n`,
        '.model-access/prompts/review.md': `Look for faults in $\{selection}.\n`,
      },
    });
    chat = editor.chat;
    await editor.workbench.runCommand('Model Access: Open Chat');
    await chat.waitUntilShown();
  });
  after(() => editor.close());

  it('are listed after a slash, narrowed by what is typed, and put into the composer with their variables', async () => {
    await editor.workbench.textEditor.open('parcel.ts');
    await chat.composer.click();
    await chat.composer.pressSequentially('/');
    const options = chat.frame.getByRole('listbox', { name: 'Prompts' }).getByRole('option');
    await options.filter({ hasText: 'To someone new' }).waitFor();
    assert.equal(await options.count(), 2);
    await editor.screenshot('prompts');
    await chat.composer.pressSequentially('exp');
    await options.nth(1).waitFor({ state: 'detached' });
    await chat.composer.press('Enter');
    await chat.frame.getByRole('list', { name: 'Attachments' }).getByText('parcel.ts').waitFor();
    assert.equal(await chat.composer.inputValue(), 'Explain `parcel.ts` briefly.');
    assert.equal(await chat.turns.count(), 0);
  });

  it('can be left with Escape, and a slash elsewhere is a slash', async () => {
    await chat.composer.fill('');
    await chat.composer.pressSequentially('/re');
    const list = chat.frame.getByRole('listbox', { name: 'Prompts' });
    await list.waitFor();
    await chat.composer.press('Escape');
    await list.waitFor({ state: 'detached' });
    await chat.composer.fill('either/or');
    assert.equal(await list.count(), 0);
  });
});
