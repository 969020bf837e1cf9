import assert from 'node:assert/strict';
import OpenAI from 'openai';
import type { ChatPanel } from '../support/editor/chatPanel.ts';
import type { Editor } from '../support/editor/editor.ts';
import type { EditorWindow } from '../support/editor/editorWindow.ts';
import { freshSandboxEditor, newChat, streamWordByWord } from '../support/editor/sharedEditors.ts';
import { assertKept, ShownFigures } from '../support/editor/shownFigures.ts';
import { TrafficTab } from '../support/editor/trafficTab.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { closedPort } from '../support/ports.ts';

const STATUS = 'modelAccess.status';

describe('two windows with an auto-started gateway', () => {
  let editor: Editor;
  let firstWindow: EditorWindow;
  let first: Workbench;
  /** The window of other suites, which is opened before the first one. */
  let second: Workbench;
  let secondChat: ChatPanel;
  let port: number;
  /** The local key of both windows. */
  let key: string;

  before(async () => {
    port = await closedPort();
    editor = await freshSandboxEditor();
    ({ workbench: second, chat: secondChat } = editor);
    // A window that is opened restores an unsent chat, which both windows would have then.
    await newChat(editor);
    // The first copy creates the key, and an open window is notified a moment later.
    key = await keyOf(second);
    await editor.changeSettings({ 'modelAccess.gateway.port': port, 'modelAccess.gateway.autoStart': true });
    firstWindow = await editor.openWindow();
    first = firstWindow.workbench;
    await first.waitForStatusBar(STATUS, String(port));
    await second.waitForStatusBar(STATUS, String(port));
  });
  streamWordByWord(() => editor);
  after(async () => {
    await firstWindow.close();
    await second.stopGateway();
    await editor.changeSettings({ 'modelAccess.gateway.port': 0, 'modelAccess.gateway.autoStart': false });
    await second.clearNotifications();
  });

  const turn = (panel: ChatPanel, text: string) => panel.turns.filter({ hasText: text }).first();
  const label = async (workbench: Workbench) =>
    (await workbench.statusBarItem(STATUS).locator('[aria-label]').first().getAttribute('aria-label')) ?? '';
  const labelWith = (workbench: Workbench, text: string) =>
    eventually(`“${text}” in the status bar`, async () => (await label(workbench)).includes(text));
  const keyOf = async (workbench: Workbench): Promise<string> => {
    await workbench.page.bringToFront();
    await workbench.runCommand('Model Access: Copy Local Key');
    await workbench.page.locator('.part.statusbar').getByText('Local key copied').waitFor();
    return workbench.readClipboard();
  };
  const answer = async (apiKey: string): Promise<string> => {
    const client = new OpenAI({ baseURL: `http://127.0.0.1:${port}/api/v1`, apiKey, maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: 'echo: shared' }];
    const { choices } = await client.chat.completions.create({ model: 'familya-haiku-4.5', messages });
    return choices[0]?.message.content ?? '';
  };
  const run = async (workbench: Workbench, command: string, text: string | RegExp) => {
    await workbench.page.bringToFront();
    await workbench.runCommand(`Model Access: ${command}`);
    await workbench.waitForStatusBar(STATUS, text);
  };

  it('share one gateway, and each shows where it runs', async () => {
    await labelWith(first, `running at http://127.0.0.1:${port}/api/v1`);
    await labelWith(second, 'in another window');
    assert.equal(await first.notifications.with(/Port|failed/).count(), 0);
    assert.equal(await second.notifications.with(/Port|failed/).count(), 0);
    await editor.screenshot('gateway shared');
    assert.equal(await keyOf(first), key);
    assert.equal(await answer(key), 'shared');
  });

  it('stop the gateway for both from either one, and start it again for both', async () => {
    await second.page.bringToFront();
    await second.runCommand('Model Access: Stop Gateway');
    await second.waitForGatewayOff();
    await first.waitForGatewayOff();
    await run(first, 'Start Gateway', String(port));
    await second.waitForStatusBar(STATUS, String(port));
    await labelWith(second, 'in another window');
  });

  it('apply a key rotated in one window to the gateway in the other, and both copy the new key', async () => {
    const before = await keyOf(second);
    await second.runCommand('Model Access: Rotate Local Key…');
    await second.notifications.dialog.getByRole('button', { name: 'Rotate Key' }).click();
    await eventually('the new key', async () => (await second.readClipboard()) !== before);
    const key = await second.readClipboard();
    // The gateway hears of the key from the other window.
    await eventually('the new key in use', async () => (await answer(key).catch(() => '')) === 'shared');
    await assert.rejects(answer(before), OpenAI.AuthenticationError);
    assert.equal(await keyOf(first), key);
  });

  it('list a running chat request in the other window, where it can be canceled', async () => {
    await second.page.bringToFront();
    await second.runCommand('Model Access: Open Chat');
    await secondChat.waitUntilShown();
    const before = await secondChat.answers.count();
    await secondChat.ask('write 20000 words');
    await secondChat.stop.waitFor();
    await first.page.bringToFront();
    // The window may have restored a tab of other suites, in which the details of a request cover the list.
    await first.closeAllEditors();
    await first.runCommand('Model Access: Open Traffic');
    const traffic = new TrafficTab(first.page);
    await traffic
      .row('Chat')
      .filter({ has: traffic.result('Running') })
      .click();
    await traffic.button('Cancel').click();
    await traffic.detail.getByText('Canceled here').first().waitFor();
    await first.closeAllEditors();
    await second.page.bringToFront();
    await secondChat.waitForAnswer(before);
    await secondChat.stop.waitFor({ state: 'hidden' });
  });

  const chatsWith = async (text: string) =>
    (await editor.profileFilesWith(text)).filter((file) => file.endsWith('.jsonl')).sort();

  /** Sends a question again if it is put back, because the other window has begun to answer at that moment. */
  async function askUntilSent(panel: ChatPanel, question: string): Promise<void> {
    await panel.ask(question);
    await eventually(`“${question}” in the chat’s file`, async () => {
      if ((await panel.composer.inputValue()) === question && (await panel.send.isEnabled())) await panel.send.click();
      return (await chatsWith(question)).length > 0;
    });
  }

  it('ask questions in the same chat without loss, and show each other’s updates', async () => {
    await first.page.bringToFront();
    const chat = await newChat(firstWindow);
    await chat.askAndWait('echo: the common beginning');
    await second.page.bringToFront();
    await second.runCommand('Model Access: Open Chat from History…');
    await secondChat.historyRows.filter({ hasText: 'the common beginning' }).first().click();
    await turn(secondChat, 'the common beginning').waitFor();
    await secondChat.askAndWait('echo: asked in the second');
    await chat.answers.filter({ hasText: 'asked in the second' }).waitFor();

    await secondChat.ask('write 120 words');
    const growing = chat.answers.nth(2).filter({ hasText: 'plain words' });
    await growing.waitFor();
    await chat.frame.getByRole('heading', { name: 'Another window is answering in this chat' }).waitFor();
    await chat.composer.fill('echo: not yet');
    await chat.composer.press('Enter');
    await eventuallyEqual(() => chat.composer.inputValue(), 'echo: not yet');
    await eventuallyEqual(() => chat.stop.count(), 0);
    await editor.screenshot('conversation answered elsewhere');
    await chat.waitForAnswer(2);
    const words = (await growing.locator('.answer-body').innerText()).trim().split(/\s+/);
    assert.equal(words.length, 120);
    await growing.getByText(/^\d+ out$/).waitFor();

    await Promise.all([askUntilSent(chat, 'echo: mine at once'), askUntilSent(secondChat, 'echo: theirs at once')]);
    const [mine, theirs] = await Promise.all(['mine at once', 'theirs at once'].map((text) => chatsWith(text)));
    assert.deepEqual(mine, theirs);
    // Whether one question followed the other or became another version, both are in the thread or one page away.
    for (const [panel, text] of [
      [chat, 'theirs at once'],
      [secondChat, 'mine at once'],
    ] as const) {
      await turn(panel, text).or(panel.turns.getByText('/ 2')).first().waitFor();
    }
    await editor.screenshot('conversation two windows');
  });

  describe('of which the one that runs the gateway is closed while an answer arrives', () => {
    const STALLED = 'familya-opus-4.5+stall';

    before(async () => {
      await first.page.bringToFront();
      await first.driver.configure({ 'modelAccess.chat.model': STALLED });
      const chat = await newChat(firstWindow);
      await chat.frame.getByRole('button', { name: `Model: ${STALLED}` }).waitFor();
      await chat.ask('write 170 words');
      const answer = chat.lastingAnswer(0);
      await answer.filter({ hasText: /plain words/ }).waitFor();
      await new ShownFigures(editor).whenStored(STALLED, answer);
      await firstWindow.close();
      await second.page.bringToFront();
      await eventually('the takeover', async () => !(await label(second)).includes('another window'));
    });
    after(() => editor.changeSettings({ 'modelAccess.chat.model': '' }));

    it('keep the gateway', async () => {
      assert.equal(await answer(await keyOf(second)), 'shared');
    });

    it('keep the text of the answer, and show the same cost of it everywhere', async () => {
      await second.runCommand('Model Access: Open Chat from History…');
      await secondChat.historyRows.filter({ hasText: 'write 170 words' }).first().click();
      const kept = secondChat.answers.first();
      await assertKept(kept);
      const figures = new ShownFigures(editor);
      await figures.assertSame(STALLED, await figures.inChat(kept));
    });
  });
});
