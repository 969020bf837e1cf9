import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatPanel } from '../support/editor/chatPanel.ts';
import type { Editor } from '../support/editor/editor.ts';
import { newChat, sandboxEditor } from '../support/editor/sharedEditors.ts';

const PROMPTS = {
  'explain.md': `---\ndescription: To someone new\n---\nExplain $\{file} briefly.\n`,
  'review.md': `Look for faults in $\{selection}.\n`,
};

describe('the prompts of a person', () => {
  let editor: Editor;
  let chat: ChatPanel;
  let folder: string;

  before(async () => {
    editor = await sandboxEditor();
    folder = join(editor.workspace, '.model-access');
    await mkdir(join(folder, 'prompts'), { recursive: true });
    for (const [name, text] of Object.entries(PROMPTS)) await writeFile(join(folder, 'prompts', name), text);
    await editor.addFiles({ '.github/prompts/plan.prompt.md': 'Make a plan.\n' });
  });
  beforeEach(async () => {
    chat = await newChat(editor);
  });
  after(async () => {
    await newChat(editor);
    await editor.workbench.closeAllEditors();
    await rm(folder, { recursive: true });
    await editor.removeFiles('.github');
  });

  it('are listed after a slash, narrowed by what is typed, and put into the composer with their variables', async () => {
    await editor.workbench.textEditor.open('src/parcel.ts');
    await chat.composer.click();
    await chat.composer.pressSequentially('/');
    const options = chat.frame.getByRole('listbox', { name: 'Prompts' }).getByRole('option');
    await options.filter({ hasText: 'To someone new' }).waitFor();
    await options.filter({ hasText: '/commit-message' }).filter({ hasText: 'built-in' }).waitFor();
    await options.filter({ hasText: '/plan' }).filter({ hasText: '.github/prompts' }).waitFor();
    // Two built-in prompts have the same names as the user's own.
    assert.equal(await options.count(), 2 + 1 + 4);
    await editor.screenshot('prompts');
    await chat.composer.pressSequentially('exp');
    await options.first().filter({ hasText: '/explain' }).waitFor();
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
