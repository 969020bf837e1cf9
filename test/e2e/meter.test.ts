import assert from 'node:assert/strict';
import type { ChatPanel } from '../support/editor/chatPanel.ts';
import type { Editor } from '../support/editor/editor.ts';
import { newChat, sandboxEditor } from '../support/editor/sharedEditors.ts';
import { eventuallyEqual } from '../support/eventually.ts';

describe('the token meter', () => {
  let editor: Editor;
  let chat: ChatPanel;

  before(async () => {
    editor = await sandboxEditor();
  });
  beforeEach(async () => {
    chat = await newChat(editor);
  });
  after(() => editor.workbench.closeAllEditors());

  async function attachLines(first: number, last: number): Promise<void> {
    await editor.workbench.textEditor.open('src/session.ts');
    await editor.workbench.textEditor.selectLines(first, last);
    await editor.workbench.runCommand('Model Access: Ask About Selection');
    await chat.frame.getByRole('button', { name: `Remove session.ts:${first}–${last}` }).waitFor();
  }

  it('shows the service’s count and the price of the draft, which increase with the text and match the answer’s', async () => {
    await chat.meterLine.getByText('No tokens yet').waitFor();
    const long = await chat.countOf('How many tokens is this? '.repeat(20));
    const short = await chat.countOf('echo: Count me, then answer me.');
    assert.ok(short > 0 && long > short + 100, `${short} and ${long}`);
    // With the answer, if the chat's model has answered before.
    await chat.meterLine.getByText(/\$0\.\d+ (?:\+|with) answer/).waitFor();
    await chat.send.click();
    const answer = await chat.waitForAnswer(0);
    await answer.getByText(`${short} in`, { exact: true }).waitFor();
  });

  it('increases with an attached selection, shown above the text, and decreases without it', async () => {
    const without = await chat.countOf('What is this?');
    await attachLines(1, 10);
    const chip = chat.frame.getByRole('list', { name: 'Attachments' }).getByText('session.ts:1–10');
    await chip.waitFor();
    await chat.meterLine.filter({ hasNotText: `${without} tokens` }).waitFor();
    const withSelection = await chat.countedTokens();
    assert.ok(withSelection > without + 50, `${without}, then ${withSelection}`);
    await editor.screenshot('meter attachment');
    await chat.frame.getByRole('button', { name: 'Remove session.ts:1–10' }).click();
    await chip.waitFor({ state: 'detached' });
    await chat.meterLine.filter({ hasText: `${without} tokens` }).waitFor();
    assert.equal(await chat.countedTokens(), without);
  });

  it('counts text pasted into a question being edited and shows the count below it', async () => {
    await chat.askAndWait('echo: short');
    await chat.composer.press('ArrowUp');
    const edited = chat.turns.first();
    const line = edited.locator('.meter-text');
    await line.filter({ hasText: /tokens.*\$0\.\d+/ }).waitFor();
    const tokens = async () => Number(/([\d.]+)k? tokens/.exec((await line.textContent()) ?? '')?.[1]);
    const short = await tokens();
    await chat.frame.getByRole('textbox', { name: 'Edit the message' }).fill('pasted words '.repeat(60));
    await line.filter({ hasNotText: `${short} tokens` }).waitFor();
    assert.ok((await tokens()) > short + 60);
    await editor.screenshot('meter edit');
    await chat.frame.getByRole('textbox', { name: 'Edit the message' }).press('Escape');
    await line.waitFor({ state: 'detached' });
  });

  it('opens the breakdown with a click or the keyboard and closes it with Escape', async () => {
    await chat.askAndWait('echo: an earlier message');
    await chat.composer.fill('And now?');
    await chat.countedTokens();
    await chat.meterLine.click();
    for (const part of ['messages', 'answers and calls', 'Balance after']) {
      await chat.breakdown.getByText(part).waitFor();
    }
    await chat.breakdown.getByText('Maximum, at 4,096 tokens').waitFor();
    await editor.screenshot('meter breakdown');
    await chat.composer.click();
    await chat.breakdown.waitFor({ state: 'detached' });
    await chat.meterLine.press('Enter');
    await chat.breakdown.waitFor();
    await chat.meterLine.press('Escape');
    await chat.breakdown.waitFor({ state: 'detached' });
    await chat.composer.and(chat.frame.locator(':focus')).waitFor();
  });

  it('estimates the answer from previous answers, starting with the second question', async () => {
    await chat.chooseModel('familyb-3.1-pro');
    await chat.askAndWait('echo: the first');
    await chat.composer.fill('Another');
    await chat.meterLine.getByText(/\+ answer/).waitFor();
    await chat.askAndWait('echo: the second');
    await chat.composer.fill('One more');
    await chat.countedTokens();
    await chat.meterLine.getByText('with answer').waitFor();
    await chat.meterLine.press('Enter');
    await chat.breakdown.getByText('Typical answer').waitFor();
    await chat.meterLine.press('Escape');
    await newChat(editor);
    await chat.chooseModel('familya-sonnet-4.6');
  });

  it('counts the text in the composer of a new chat, which begins without that of the earlier one', async () => {
    await chat.askAndWait('echo: an earlier message');
    await chat.composer.fill('A question that is not sent yet');
    await editor.workbench.runCommand('Model Access: New Chat');
    await chat.emptyHeading.waitFor();
    await chat.composer.and(chat.frame.locator(':focus')).waitFor();
    await eventuallyEqual(() => chat.composer.inputValue(), '');
    await chat.composer.fill('A question of the new chat');
    await chat.countedTokens();
  });
});
