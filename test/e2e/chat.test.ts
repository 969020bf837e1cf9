import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { chooseForAnswer } from '../support/actionMenu.ts';
import type { ChatPanel } from '../support/editor/chatPanel.ts';
import type { Editor } from '../support/editor/editor.ts';
import { newChat, sandboxEditor, streamWordByWord } from '../support/editor/sharedEditors.ts';
import { eventuallyEqual } from '../support/eventually.ts';

/** Far more than can arrive during a test. */
const LONG = 'write 20000 words';

describe('a chat with the sandbox', () => {
  let editor: Editor;
  let chat: ChatPanel;

  before(async () => {
    editor = await sandboxEditor();
  });
  beforeEach(async () => {
    chat = await newChat(editor);
  });

  describe('while an answer arrives', () => {
    streamWordByWord(() => editor);

    /** Waits until an answer in progress has at least this number of words. */
    async function waitForWords(answer: Locator, count: number): Promise<string> {
      await answer.filter({ hasText: new RegExp(`(\\S+\\s+){${count}}`) }).waitFor();
      assert.equal(await answer.getAttribute('aria-busy'), 'true');
      return answer.locator('.answer-body').innerText();
    }

    it('streams an answer incrementally', async () => {
      await chat.ask(LONG);
      const answer = chat.answers.first();
      const early = await waitForWords(answer, 20);
      const later = await waitForWords(answer, early.split(/\s+/).length + 20);
      assert.ok(later.length > early.length);
      await answer.getByText(/^\d+ out$/).waitFor();
      await answer.getByText(/ so far$/).waitFor();
      await editor.screenshot('chat streaming');
    });

    it('stops immediately, keeps the text, and continues on request', async () => {
      await chat.ask(LONG);
      const answer = chat.answers.first();
      const early = await waitForWords(answer, 20);
      await chat.stop.click();
      await answer.getByText('Stopped', { exact: true }).waitFor();
      assert.ok((await answer.locator('.answer-body').innerText()).startsWith(early.slice(0, 40)));
      await editor.screenshot('chat stopped');

      await answer.getByRole('button', { name: 'Continue' }).click();
      await answer.getByText('Stopped', { exact: true }).waitFor({ state: 'detached' });
      await waitForWords(answer, early.split(/\s+/).length + 10);
      await eventuallyEqual(() => chat.turns.count(), 2);
      await chat.stop.click();
      await answer.getByText('Stopped', { exact: true }).waitFor();
    });

    it('retries in place of the stopped answer', async () => {
      await chat.ask(LONG);
      const stopped = chat.answers.first();
      await waitForWords(stopped, 5);
      await chat.composer.press('Escape');
      await stopped.getByRole('button', { name: 'Retry' }).click();
      await chat.stop.waitFor();
      await waitForWords(chat.answers.first(), 5);
      await eventuallyEqual(() => chat.turns.count(), 2);
      await chat.stop.click();
      await chat.answers.getByText('2 / 2').waitFor();
      await chat.answers.getByRole('button', { name: 'Previous version' }).click();
      await chat.answers.getByText('1 / 2').waitFor();
      await eventuallyEqual(() => chat.turns.count(), 2);
    });
  });

  it('edits a question as a new version and switches between versions', async () => {
    await chat.askAndWait('echo: about apples');
    await chat.composer.press('ArrowUp');
    const field = chat.frame.getByRole('textbox', { name: 'Edit the message' });
    await field.fill('echo: about pears');
    await field.press('Enter');
    await chat.answers.filter({ hasText: 'about pears' }).waitFor();
    await chat.waitForAnswer(0);
    await editor.screenshot('chat branches');
    const previous = chat.turns.first().getByRole('button', { name: 'Previous version' });
    await previous.press('Enter');
    await chat.answers.filter({ hasText: 'about apples' }).waitFor();
    await eventuallyEqual(() => chat.turns.count(), 2);
    await previous.and(chat.frame.locator(':focus')).waitFor();
  });

  it('deletes a question with its answers and restores them', async () => {
    await chat.askAndWait('echo: one');
    await chat.askAndWait('echo: two');
    const first = chat.turns.first();
    await first.hover();
    await first.getByRole('button', { name: 'Delete question and answers' }).click();
    await chat.turns.filter({ hasText: 'one' }).first().waitFor({ state: 'detached' });
    await eventuallyEqual(() => chat.turns.count(), 2);
    await chat.frame.getByRole('button', { name: 'Undo' }).click();
    await chat.turns.filter({ hasText: 'one' }).first().waitFor();
    await eventuallyEqual(() => chat.turns.count(), 4);
  });

  it('forks a chat at an answer', async () => {
    const first = await chat.askAndWait('echo: one');
    await chat.askAndWait('echo: two');
    await first.hover();
    await chooseForAnswer(first, 'Fork into a new chat');
    await chat.turns.filter({ hasText: 'two' }).first().waitFor({ state: 'detached' });
    await eventuallyEqual(() => chat.turns.count(), 2);
    await chat.frame.getByRole('heading', { name: 'echo: one (fork)' }).waitFor();
    await chat.askAndWait('echo: elsewhere');
    await eventuallyEqual(() => chat.turns.count(), 4);
  });

  it('shows the tokens and cost of an answer and says that it is sample money', async () => {
    const answer = await chat.askAndWait('echo: Hello');
    await chat.frame.getByText('Sandbox: sample money').waitFor();
    for (const figure of [/^\d+ in$/, /^\d+ out$/, /^(< )?\$0\.\d+$/]) await answer.getByText(figure).waitFor();
  });

  describe('with code in the answer', () => {
    const CODE = 'const total = [1, 2, 3].reduce((sum, value) => sum + value, 0);';

    async function askForCode(): Promise<Locator> {
      const answer = await chat.askAndWait(`echo: \`\`\`ts\n${CODE}\n\`\`\``);
      return answer.getByRole('figure', { name: 'Code, TypeScript' });
    }

    it('highlights the code, shows the name of its language, and copies it to the clipboard', async () => {
      const code = await askForCode();
      await eventuallyEqual(() => code.locator('code').innerText(), CODE);
      await code.getByText('TypeScript', { exact: true }).waitFor();
      await code.locator('.hljs-keyword', { hasText: 'const' }).waitFor();
      await code.locator('.hljs-number').first().waitFor();
      await code.hover();
      await code.getByRole('button', { name: 'Copy code' }).click();
      await editor.workbench.waitForClipboard(CODE);
    });

    it('inserts the code at the cursor of the open file', async () => {
      const { textEditor } = editor.workbench;
      await textEditor.open('src/session.ts');
      await textEditor.goTo(1);
      const code = await askForCode();
      await code.hover();
      await code.getByRole('button', { name: 'Insert', exact: true }).click();
      await textEditor.root.locator('.view-line', { hasText: 'const total' }).waitFor();
      assert.ok((await textEditor.visibleText()).startsWith(`${CODE}import type`));
      await editor.screenshot('chat code inserted');
      await editor.workbench.runCommand('View: Revert and Close Editor');
    });
  });

  it('starts a new chat and opens an earlier one from the list', async () => {
    await chat.askAndWait('echo: about apples');
    await newChat(editor);
    await chat.askAndWait('echo: about pears');
    await editor.workbench.runCommand('Model Access: Open Chat from History…');
    await chat.historyRows.filter({ hasText: 'about pears' }).first().waitFor();
    await editor.screenshot('chat history');
    await chat.historyRows.filter({ hasText: 'about apples' }).first().click();
    await chat.turns.filter({ hasText: 'about apples' }).first().waitFor();
    await chat.turns.filter({ hasText: 'about pears' }).first().waitFor({ state: 'detached' });
    await chat.askAndWait('echo: and more');
    await eventuallyEqual(() => chat.turns.count(), 4);
  });

  it('asks before opening an external link and never navigates away from the panel', async () => {
    const answer = await chat.askAndWait('echo: See [the guide](https://example.com/guide).');
    await answer.getByRole('link', { name: 'the guide' }).click();
    const { dialog } = editor.workbench.notifications;
    await dialog.getByText('https://example.com/guide').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await answer.getByRole('link', { name: 'the guide' }).waitFor();
    assert.equal(editor.page.context().pages().length, 1);
  });
});
