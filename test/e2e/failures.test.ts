import assert from 'node:assert/strict';
import type { ChatPanel } from '../support/editor/chatPanel.ts';
import type { Editor } from '../support/editor/editor.ts';
import { newChat, sandboxEditor } from '../support/editor/sharedEditors.ts';
import { eventuallyEqual } from '../support/eventually.ts';

const DEFAULT_MODEL = 'familya-sonnet-4.6';

describe('the chat when the service fails', () => {
  let editor: Editor;
  let chat: ChatPanel;

  before(async () => {
    editor = await sandboxEditor();
  });
  beforeEach(async () => {
    chat = await newChat(editor);
  });
  after(() => editor.changeSettings({ 'modelAccess.chat.model': DEFAULT_MODEL }));

  async function askForFault(fault: string, question: string): Promise<void> {
    const model = `${DEFAULT_MODEL}+${fault}`;
    await editor.changeSettings({ 'modelAccess.chat.model': model });
    await chat.frame.getByRole('button', { name: `Model: ${model}` }).waitFor();
    await chat.ask(question);
  }

  it('reports that the credit is used up and offers another model for the same question', async () => {
    await askForFault('no-credit', 'echo: paid at last');
    await chat.failure.getByRole('heading', { name: 'Your credit is used up' }).waitFor();
    await chat.failure.getByText('Nothing was charged.').waitFor();
    await editor.screenshot('failure credit');
    await chat.failure.getByRole('button', { name: 'Use a cheaper model' }).click();
    await chat.frame.getByRole('option', { name: 'familya-haiku-4.5' }).click();
    await chat.frame.getByRole('button', { name: 'Model: familya-haiku-4.5' }).waitFor();
    await chat.failure.getByRole('button', { name: 'Retry' }).click();
    const answer = await chat.waitForAnswer(0);
    await answer.locator('.answer-body').getByText('paid at last').waitFor();
    await eventuallyEqual(() => chat.turns.count(), 2);
  });

  it('does not offer Add Credit in the sandbox', async () => {
    await askForFault('no-credit', 'Hello');
    await chat.failure.getByRole('button', { name: 'Use a cheaper model' }).waitFor();
    await eventuallyEqual(() => chat.failure.getByRole('button', { name: 'Add credit' }).count(), 0);
  });

  it('retries automatically after a rate limit', async () => {
    await askForFault('rate-limit-once', 'echo: through in the end');
    const answer = await chat.waitForAnswer(0);
    await answer.locator('.answer-body').getByText('through in the end').waitFor();
    await eventuallyEqual(() => chat.failure.count(), 0);
  });

  it('counts down to the next retry, which can be canceled', async () => {
    await askForFault('rate-limit', 'Hello');
    const answer = chat.answers.first();
    await answer.getByRole('heading', { name: 'Too many requests' }).waitFor();
    await answer.getByText(/Retrying in \d s \(\d of 4\)\. Not charged\./).waitFor();
    await editor.screenshot('failure retrying');
    await answer.getByRole('button', { name: 'Cancel' }).click();
    await answer.getByText('Stopped', { exact: true }).waitFor();
    await answer.getByRole('button', { name: 'Retry' }).waitFor();
  });

  it('keeps the received text when the connection breaks and offers to continue', async () => {
    await askForFault('cut', 'write 200 words');
    await chat.failure.waitFor();
    const body = chat.answers.first().locator('.answer-body');
    const received = await body.innerText();
    assert.match(received, /^the sandbox writes plain words/);
    await chat.failure.getByText('The partial answer is kept').waitFor();
    await editor.screenshot('failure cut');
    await chat.failure.getByRole('button', { name: 'Continue' }).click();
    await body.filter({ hasText: new RegExp(`(\\S+\\s+){${received.split(/\s+/).length + 2}}`) }).waitFor();
    await eventuallyEqual(() => chat.turns.count(), 2);
  });
});
