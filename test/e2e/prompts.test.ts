import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChatPanel } from '../support/editor/chatPanel.ts';
import type { Editor } from '../support/editor/editor.ts';
import { newChat, sandboxEditor } from '../support/editor/sharedEditors.ts';
import { eventuallyEqual } from '../support/eventually.ts';

const PROMPTS = {
  'explain.md': `---\ndescription: To someone new\n---\nExplain $\{file} briefly.\n`,
  'review.md': `Look for faults in $\{selection}.\n`,
};

describe('the user’s prompts', () => {
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

  it('are listed after a slash, filtered while typing, and inserted with their variables', async () => {
    await editor.workbench.textEditor.open('src/parcel.ts');
    await chat.composer.click();
    await chat.composer.pressSequentially('/');
    const options = chat.frame.getByRole('listbox', { name: 'Prompts' }).getByRole('option');
    await options.filter({ hasText: 'To someone new' }).waitFor();
    const group = (name: string) => chat.frame.getByRole('group', { name, exact: true }).getByRole('option');
    await group('Built in').filter({ hasText: '/commit-message' }).waitFor();
    await group('This workspace, .model-access/prompts').filter({ hasText: '/review' }).waitFor();
    await group('This workspace, .github/prompts')
      .filter({ hasText: /\/plan.*\d tokens/ })
      .waitFor();
    await chat.frame.getByText(/^\/fix adds [\d,]+ tokens, ≈\W\$0\.\d+$/).waitFor();
    // Two built-in prompts have the same names as the user's own.
    await eventuallyEqual(() => options.count(), 2 + 1 + 4);
    await editor.screenshot('prompts');
    await chat.composer.pressSequentially('exp');
    await options.and(chat.frame.locator('[aria-selected="true"]')).filter({ hasText: '/explain' }).waitFor();
    await chat.composer.press('Enter');
    await chat.frame.getByRole('list', { name: 'Attachments' }).getByText('parcel.ts').waitFor();
    await eventuallyEqual(() => chat.composer.inputValue(), 'Explain `parcel.ts` briefly.');
    await eventuallyEqual(() => chat.turns.count(), 0);
  });

  it('are dismissed with Escape and not listed for a slash elsewhere', async () => {
    await chat.composer.fill('');
    await chat.composer.pressSequentially('/re');
    const list = chat.frame.getByRole('listbox', { name: 'Prompts' });
    await list.waitFor();
    await chat.composer.press('Escape');
    await list.waitFor({ state: 'detached' });
    await chat.composer.fill('either/or');
    await eventuallyEqual(() => list.count(), 0);
  });
});
