import type { ChatPanel } from '../support/editor/chatPanel.ts';
import type { Editor } from '../support/editor/editor.ts';
import { newChat, sandboxEditor } from '../support/editor/sharedEditors.ts';
import { eventuallyEqual } from '../support/eventually.ts';

describe('the chat history in the panel', () => {
  let editor: Editor;
  let chat: ChatPanel;

  before(async () => {
    editor = await sandboxEditor();
  });

  /** Saves a chat with this question, and opens the list. */
  async function saveAndList(question: string): Promise<void> {
    chat = await newChat(editor);
    await chat.askAndWait(question);
    await editor.workbench.runCommand('Model Access: Open Chat from History…');
    await row(question).waitFor();
  }

  const row = (title: string) => chat.historyRows.filter({ hasText: title });
  const action = (name: string) => chat.history.getByRole('button', { name });

  it('finds a chat by a word in its answer and opens it with the keyboard', async () => {
    await saveAndList('echo: the quixotic gherkin');
    await chat.historySearch.fill('quixotic gherkin');
    await chat.historyRows.locator('mark').first().waitFor();
    await eventuallyEqual(() => chat.historyRows.count(), 1);
    await editor.screenshot('history searched');
    await chat.historySearch.press('ArrowDown');
    await chat.historySearch.press('Enter');
    await chat.turns.filter({ hasText: 'quixotic gherkin' }).first().waitFor();
  });

  it('renames and pins a chat', async () => {
    await saveAndList('echo: to be renamed');
    await row('to be renamed').hover();
    await action('Rename echo: to be renamed').click();
    const field = chat.history.getByRole('textbox', { name: 'Chat title' });
    await field.fill('Renamed by hand');
    await field.press('Enter');
    await row('Renamed by hand').waitFor();
    await row('Renamed by hand').hover();
    await action('Pin Renamed by hand').click();
    await chat.history.getByRole('group', { name: 'Pinned' }).getByText('Renamed by hand').waitFor();
    await editor.screenshot('history pinned');
    await action('Unpin Renamed by hand').click();
    await chat.history.getByRole('group', { name: 'Pinned' }).waitFor({ state: 'detached' });
  });

  it('deletes a chat and restores it', async () => {
    await saveAndList('echo: to be deleted');
    await row('to be deleted').hover();
    await action('Delete echo: to be deleted').click();
    await row('to be deleted').waitFor({ state: 'detached' });
    await chat.frame.getByRole('button', { name: 'Undo' }).click();
    await row('to be deleted').waitFor();
    await row('to be deleted').click();
    await chat.turns.filter({ hasText: 'to be deleted' }).first().waitFor();
  });

  it('is rebuilt from the files by a command', async () => {
    await saveAndList('echo: to be found again');
    await editor.workbench.runCommand('Model Access: Rebuild History');
    await editor.page.getByText(/^The history has \d+ chats?\.$/).waitFor();
    await row('to be found again').waitFor();
    await chat.historySearch.press('Escape');
    await chat.composer.waitFor();
  });
});
