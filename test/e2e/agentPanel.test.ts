import assert from 'node:assert/strict';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/paths.ts';
import type { ChatPanel } from '../support/editor/chatPanel.ts';
import type { Editor } from '../support/editor/editor.ts';
import { tabFrame } from '../support/editor/pageFrames.ts';
import { newChat, sandboxEditor } from '../support/editor/sharedEditors.ts';
import { eventuallyEqual } from '../support/eventually.ts';

const SAMPLE = join(ROOT, 'test', 'fixtures', 'workspace');

describe('the agent in the chat panel', () => {
  let editor: Editor;
  let chat: ChatPanel;

  before(async () => {
    editor = await sandboxEditor();
  });
  after(async () => {
    await editor.workbench.driver.run('workbench.action.terminal.killAll');
    await editor.workbench.hidePanel();
  });
  beforeEach(async () => {
    chat = await newChat(editor);
  });

  afterEach(async () => {
    await editor.workbench.closeAllEditors();
    for (const path of ['src/quote.ts', 'test/quote.test.ts']) {
      await copyFile(join(SAMPLE, path), join(editor.workspace, path));
    }
  });

  const file = () => join(editor.workspace, 'src', 'quote.ts');

  const restoreCard = () => chat.frame.getByRole('alertdialog', { name: 'Restore to before this turn' });

  it('reads and edits files, asks before running a command, and lets its changes be reviewed and restored', async () => {
    const before = await readFile(file(), 'utf8');
    await chat.chooseAgent();
    await chat.frame.getByRole('button', { name: /^Fix a bug in quote\.ts/ }).click();
    await chat.approval.getByText('node --test test/quote.test.ts').waitFor();
    await editor.screenshot('agent approval');
    // The edit is in the file by now, so that the command uses it.
    assert.match(await readFile(file(), 'utf8'), /ParcelError/);
    await chat.approval.getByRole('button', { name: 'Run Once' }).click();
    await chat.frame.getByText('This task was prepared').waitFor();
    await editor.screenshot('agent done');
    await chat.frame.getByRole('region', { name: 'Changed files' }).getByRole('button', { name: 'Review' }).click();
    await editor.page.getByRole('tab', { name: /^Review: / }).waitFor();
    await reviewsChanges();
    await chat.frame.getByRole('button', { name: 'Restore to Before This Turn…' }).click();
    await restoreCard().getByRole('checkbox', { name: /^Chat/ }).uncheck();
    await editor.screenshot('agent restore');
    await restoreCard().getByRole('button', { name: 'Restore', exact: true }).click();
    await chat.frame.getByText('The files were restored.', { exact: true }).waitFor();
    await eventuallyEqual(() => readFile(file(), 'utf8'), before);
  });

  /** Accepts one change, discards and undoes another, then accepts all. The file, the page, and the chat's row follow. */
  async function reviewsChanges(): Promise<void> {
    const review = tabFrame(editor.page);
    await review.getByText('2 files', { exact: true }).waitFor();
    await editor.screenshot('agent review');
    const proposed = await readFile(file(), 'utf8');
    await review.locator('[aria-current="true"]').getByRole('button', { name: 'Accept', exact: true }).click();
    await review.getByText('Accepted', { exact: true }).waitFor();
    await editor.page.keyboard.press('Alt+Backspace');
    await review.getByText('Discarded', { exact: true }).waitFor();
    assert.notEqual(await readFile(file(), 'utf8'), proposed);
    await review.getByRole('button', { name: 'Undo' }).last().click();
    await review.getByText('Discarded', { exact: true }).waitFor({ state: 'detached' });
    await eventuallyEqual(() => readFile(file(), 'utf8'), proposed);
    await editor.screenshot('agent review of one change');
    await writeFile(file(), `${proposed}// edited outside\n`);
    await review.getByText('You edited this file too').waitFor();
    await review.getByRole('button', { name: 'Restore to Before This Turn…' }).click();
    const asked = review.getByRole('alertdialog', { name: 'Restore to before this turn' });
    await asked.getByText('You edited src/quote.ts after the run.').waitFor();
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await asked.waitFor({ state: 'detached' });
    await editor.workbench.runCommand('Model Access: Accept All Changes');
    await chat.frame.getByRole('region', { name: 'Changed files' }).waitFor({ state: 'detached' });
  }

  async function chooseTool(): Promise<void> {
    await editor.workbench.runCommand('Model Access: Configure Agent…');
    await tabFrame(editor.page).getByRole('checkbox', { name: 'count_tokens' }).check();
    await editor.workbench.closeAllEditors();
  }

  it('asks for approval before using a chosen extension tool', async () => {
    await chooseTool();
    await chat.chooseAgent();
    await chat.ask('use count_tokens text=hello');
    await chat.approval.getByText('count_tokens').first().waitFor();
    await editor.screenshot('agent tool of an extension');
    await chat.approval.getByRole('button', { name: /Once$/ }).click();
    await chat.frame.getByText('received these tool results').waitFor();
  });

  it('loads the definition of a tool of an extension that is not sent with each step, and asks by its name', async () => {
    await chooseTool();
    await editor.changeSettings({ 'modelAccess.agent.maxToolTokens': 0 });
    try {
      await chat.chooseAgent();
      await chat.ask('use load_tools names=count_tokens then use call_tool name=count_tokens');
      await chat.frame.getByText('Loaded tools').waitFor();
      await chat.approval.getByText('count_tokens').first().waitFor();
      await chat.approval.getByRole('button', { name: /Once$/ }).click();
      await chat.frame.getByText('received these tool results').waitFor();
      await editor.screenshot('agent tool on demand');
    } finally {
      await editor.changeSettings({ 'modelAccess.agent.maxToolTokens': 4000 });
    }
  });
});
