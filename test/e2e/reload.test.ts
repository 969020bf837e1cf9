import assert from 'node:assert/strict';
import type { ChatPanel } from '../support/editor/chatPanel.ts';
import type { Editor } from '../support/editor/editor.ts';
import { newChat, sandboxEditor } from '../support/editor/sharedEditors.ts';

const TOGGLE = 'View: Toggle Secondary Side Bar Visibility';

describe('the conversation', () => {
  let editor: Editor;
  let chat: ChatPanel;

  before(async () => {
    editor = await sandboxEditor();
  });
  beforeEach(async () => {
    chat = await newChat(editor);
  });

  async function reload(): Promise<void> {
    await editor.reload();
    await chat.turns.first().waitFor();
  }

  it('is there again after a reload, with the text that was being written', async () => {
    const answer = await chat.askAndWait('echo: Please keep **this**');
    const figures = await answer.getByText(/^\d+ out$/).innerText();
    await chat.composer.fill('half a thou');
    await editor.waitForSavedState('half a thou');
    await reload();
    await chat.turns.filter({ hasText: 'Please keep this' }).first().waitFor();
    await answer.getByText(figures, { exact: true }).waitFor();
    await answer.locator('strong', { hasText: 'this' }).waitFor();
    assert.equal(await chat.composer.inputValue(), 'half a thou');
    await chat.countedTokens();
  });

  it('keeps what had come of an answer when the window is reloaded in its middle', async () => {
    await chat.ask('write 20000 words');
    const answer = chat.answers.first();
    await answer.filter({ hasText: /(\S+\s+){40}/ }).waitFor();
    await reload();
    await answer.getByText('Stopped', { exact: true }).waitFor();
    await answer.getByRole('button', { name: 'Continue' }).waitFor();
    assert.match(await answer.locator('.answer-body').innerText(), /^the sandbox writes plain words (\S+\s+){15}/);
    await editor.screenshot('reload in mid-stream');
  });

  it('goes on while its view is hidden, and is all there when it is shown', async () => {
    await chat.ask('write 200 words');
    await chat.answers.first().filter({ hasText: 'plain words' }).waitFor();
    await chat.composer.fill('a draft');
    await editor.workbench.runCommand(TOGGLE);
    await chat.composer.waitFor({ state: 'detached' });
    await editor.workbench.runCommand(TOGGLE);
    const answer = await chat.waitForAnswer(0);
    await answer.getByText(/^\d+ out$/).waitFor();
    const words = (await answer.locator('.answer-body').innerText()).trim().split(/\s+/);
    assert.equal(words.length, 200);
    assert.equal(await chat.composer.inputValue(), 'a draft');
  });
});
