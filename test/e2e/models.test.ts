import assert from 'node:assert/strict';
import type { ChatPanel } from '../support/editor/chatPanel.ts';
import type { Editor } from '../support/editor/editor.ts';
import { newChat, sandboxEditor } from '../support/editor/sharedEditors.ts';
import { eventuallyEqual } from '../support/eventually.ts';

const DEFAULT_MODEL = 'familya-sonnet-4.6';

describe('choosing models and formats', () => {
  let editor: Editor;
  let chat: ChatPanel;

  before(async () => {
    editor = await sandboxEditor();
  });
  beforeEach(async () => {
    chat = await newChat(editor);
  });
  after(async () => {
    // The choice in a new chat becomes the default again.
    chat = await newChat(editor);
    await chat.chooseModel(DEFAULT_MODEL);
    await chat.chooseFormat('messages');
  });

  it('lists the eleven models by family, each with its context window and prices', async () => {
    await chat.modelPicker.click();
    await chat.frame.getByRole('option').first().waitFor();
    await eventuallyEqual(() => chat.frame.getByRole('option').count(), 11);
    for (const [family, count] of Object.entries({ A: 5, B: 3, C: 2, D: 1 })) {
      const group = chat.frame.getByRole('group', { name: `Family ${family}` });
      await eventuallyEqual(() => group.getByRole('option').count(), count);
    }
    const opus = chat.frame.getByRole('option', { name: 'familya-opus-4.6' });
    for (const fact of ['1M', '$5.00', '$25.00']) assert.ok((await opus.innerText()).includes(fact), fact);
    await editor.screenshot('models picker');
    await chat.frame.getByRole('combobox', { name: 'Choose a model' }).press('Escape');
  });

  it('sends the next question to the chosen model', async () => {
    await chat.chooseModel('familyc-5.4');
    const answer = await chat.askAndWait('What did you receive?');
    await answer.locator('.answer-body').getByText('familyc-5.4 received this').waitFor();
    await eventuallyEqual(() => answer.getAttribute('aria-label'), 'familyc-5.4');
  });

  it('keeps the chat when the model and format change', async () => {
    await chat.askAndWait('echo: One');
    await chat.chooseModel('familyb-3.1-pro');
    for (const format of ['responses', 'messages', 'chat-completions'] as const) {
      await chat.chooseFormat(format);
      const answer = await chat.askAndWait('What did you receive?');
      await answer.getByText(`received this through the ${format} format`).waitFor();
      await answer.getByText(/^\d+ in$/).waitFor();
    }
    const sent = chat.answers.nth(1).getByRole('cell', { name: /^3: user 9, assistant 3, user 21 characters$/ });
    await sent.waitFor();
  });

  it('offers the same choice through a command', async () => {
    const { quickInput } = editor.workbench;
    await editor.workbench.pickCommand('Model Access: Choose Model for Chat…');
    await quickInput.row('familya-haiku-4.5').waitFor();
    await editor.screenshot('models command');
    await quickInput.input.fill('code-fast');
    await quickInput.pickByName('familyd-code-fast-1');
    await chat.frame.getByRole('button', { name: 'Model: familyd-code-fast-1' }).waitFor();
  });
});
