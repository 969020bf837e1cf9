import type { ChatPanel } from '../support/editor/chatPanel.ts';
import type { Editor } from '../support/editor/editor.ts';
import { newChat, sandboxEditor } from '../support/editor/sharedEditors.ts';
import { eventuallyEqual } from '../support/eventually.ts';

describe('the parameters of a chat', () => {
  let editor: Editor;
  let chat: ChatPanel;

  before(async () => {
    editor = await sandboxEditor();
  });
  beforeEach(async () => {
    chat = await newChat(editor);
  });

  async function openParameters(): Promise<void> {
    await editor.workbench.setSecondarySideBarWidth(420);
    await chat.frame.getByRole('button', { name: 'Parameters' }).click();
    await field('Temperature').waitFor();
  }

  const field = (name: string) => chat.frame.getByRole('form').getByLabel(name);

  it('apply to this chat only: an answer is cut off at its token limit', async () => {
    await openParameters();
    await field('Max output tokens').fill('12');
    await field('Max output tokens').press('Escape');
    const answer = await chat.askAndWait('write 200 words');
    await answer.getByText('Cut off at the token limit').waitFor();
    await editor.screenshot('parameters cut');
    await answer.getByRole('button', { name: 'Continue' }).click();
    await chat.waitForAnswer(0);

    chat = await newChat(editor);
    const whole = await chat.askAndWait('write 30 words');
    await eventuallyEqual(() => whole.getByText('Cut off at the token limit').count(), 0);
  });

  it('can be saved as a preset, used in another chat, and deleted', async () => {
    await openParameters();
    await field('Temperature').fill('0.3');
    await field('Max output tokens').fill('777');
    await field('Temperature').focus();
    await chat.frame.getByRole('button', { name: 'Save as preset' }).click();
    await editor.workbench.quickInput.enter('Careful');
    await editor.workbench.quickInput.root.waitFor({ state: 'hidden' });
    chat = await newChat(editor);
    await openParameters();
    await editor.screenshot('parameters');
    await chat.frame.getByRole('button', { name: 'Careful', exact: true }).click();
    await field('Temperature').waitFor({ state: 'detached' });
    await openParameters();
    await eventuallyEqual(() => field('Max output tokens').inputValue(), '777');
    await eventuallyEqual(() => field('Temperature').inputValue(), '0.3');
    await chat.frame.getByRole('button', { name: 'Delete preset Careful' }).click();
    await chat.frame.getByRole('button', { name: 'Careful', exact: true }).waitFor({ state: 'detached' });
  });

  it('apply a newly chosen model when a question is retried', async () => {
    await chat.chooseModel('familya-haiku-4.5');
    const answer = await chat.askAndWait('echo: which one');
    await answer.getByText('familya-haiku-4.5', { exact: true }).waitFor();
    await chat.chooseModel('familya-opus-4.6');
    await answer.hover();
    await answer.getByRole('button', { name: 'Retry' }).click();
    await chat.answers.getByText('familya-opus-4.6', { exact: true }).waitFor();
    await chat.waitForAnswer(0);
    chat = await newChat(editor);
    // The first model was chosen in a new chat, so it is the default; the second one only applies to that chat.
    await chat.frame.getByRole('button', { name: 'Model: familya-haiku-4.5' }).waitFor();
    await chat.chooseModel('familya-sonnet-4.6');
  });
});
