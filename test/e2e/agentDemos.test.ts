import assert from 'node:assert/strict';
import { copyFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/paths.ts';
import { addCustomizations } from '../../scripts/lib/sampleWorkspace.ts';
import type { ChatPanel } from '../support/editor/chatPanel.ts';
import type { Editor } from '../support/editor/editor.ts';
import { newChat, sandboxEditor } from '../support/editor/sharedEditors.ts';

const PREPARED = 'This task was prepared; the sandbox has not asked a model.';

describe('the sandbox’s tasks that show one ability of the agent', () => {
  let editor: Editor;
  let chat: ChatPanel;

  before(async () => {
    editor = await sandboxEditor();
    await addCustomizations(editor.workspace);
    // A changed setting lets the files be read at once. The watcher tells of files from outside only seconds later.
    await editor.changeSettings({ 'chat.agentFilesLocations': { '.github/agents': true } });
    chat = await newChat(editor);
    await chat.chooseAgent('reviewer');
    await editor.changeSettings({ 'chat.agentFilesLocations': undefined });
  });
  after(async () => {
    for (const path of ['.agents', '.github']) await rm(join(editor.workspace, path), { recursive: true });
    await editor.workbench.driver.run('workbench.action.terminal.killAll');
    await editor.workbench.hidePanel();
  });
  beforeEach(async () => {
    chat = await newChat(editor);
    await chat.chooseAgent();
  });
  // The next suite begins without the agent of a file, which it may not have.
  afterEach(() => chat.chooseAgent());

  async function runOnce(command: string): Promise<void> {
    await chat.approval.getByText(command).waitFor();
    await chat.approval.getByRole('button', { name: 'Run Once' }).click();
  }

  it('use a skill of the workspace', async () => {
    await chat.ask('Write the release notes');
    await chat.frame.getByText('as the skill release-notes says').waitFor();
    await chat.frame.getByText('Used the skill').waitFor();
    await editor.screenshot('agent skill');
    const notes = join(editor.workspace, 'RELEASE_NOTES.md');
    assert.match(await readFile(notes, 'utf8'), /- `quote`: What a parcel costs in euros\./);
    await rm(notes);
  });

  it('review with an agent of the workspace, which hands over to the one that acts', async () => {
    await chat.chooseAgent('reviewer');
    await chat.ask('Review `src/quote.ts`');
    await chat.frame.getByText('accepts a weight of zero or less').waitFor();
    await editor.screenshot('agent of a file');
    await chat.frame.getByRole('button', { name: 'Fix It' }).click();
    await runOnce('node --test test/quote.test.ts');
    // Older versions of Node do not run the tests of the sample.
    await chat.frame.getByText(/The tests (?:pass|did not pass)/).waitFor();
    await chat.frame.getByRole('button', { name: 'Mode: Agent' }).waitFor();
    for (const path of ['src/quote.ts', 'test/quote.test.ts']) {
      await copyFile(join(ROOT, 'test', 'fixtures', 'workspace', path), join(editor.workspace, path));
    }
  });

  it('give three files to helpers that read at the same time', async () => {
    await chat.ask('Let helpers read `src`');
    await chat.frame.getByText(PREPARED).waitFor();
    const report = chat.frame.locator('li').filter({ hasText: /src\/(?:parcel|quote|session)\.ts has \d+ lines/ });
    await report.nth(2).waitFor();
    await chat.frame.getByText('3 of 3 done').waitFor();
    await editor.screenshot('agent helpers');
  });

  it('start a server in the background, ask it, and stop it', async () => {
    await chat.ask('Start a server');
    await runOnce('createServer');
    await runOnce('fetch(');
    await chat.frame.getByText('The server has answered with the README of “Parcel desk”.').waitFor();
    await editor.screenshot('agent server');
  });

  it('are joined by an agent of one’s own, which New Agent… creates', async () => {
    const { quickInput, textEditor } = editor.workbench;
    await chat.frame.getByRole('button', { name: /^Mode: / }).click();
    await chat.frame.getByRole('button', { name: 'New Agent…' }).click();
    await quickInput.pick('parcel-desk');
    await quickInput.enter('tester');
    await textEditor.waitForTab('tester.agent.md');
    await chat.chooseAgent('tester');
    await editor.screenshot('agent of one’s own');
    await editor.workbench.closeAllEditors();
  });
});
