import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { ChatPanel } from '../support/editor/chatPanel.ts';
import type { Editor } from '../support/editor/editor.ts';
import { freshSandboxEditor, newChat, streamWordByWord, withEmptyLedger } from '../support/editor/sharedEditors.ts';
import { assertKept, costIn, ShownFigures } from '../support/editor/shownFigures.ts';
import { SideView } from '../support/editor/sideView.ts';
import { TrafficTab } from '../support/editor/trafficTab.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';

// Each request has a model of its own, so that its row can be found everywhere.
describe('the reported cost of a request', () => {
  let editor: Editor;
  let workbench: Workbench;
  let chat: ChatPanel;
  let figures: ShownFigures;

  before(async () => {
    editor = await freshSandboxEditor();
    ({ workbench } = editor);
    figures = new ShownFigures(editor);
    await editor.openChat();
  });
  withEmptyLedger(() => editor);
  streamWordByWord(() => editor);
  after(async () => {
    await workbench.stopGateway();
    await editor.changeSettings({ 'modelAccess.chat.model': '' });
  });

  async function ask(model: string, question: string): Promise<Locator> {
    chat = await newChat(editor);
    return askHere(model, question);
  }

  /** Asks in the empty chat that is shown. */
  async function askHere(model: string, question: string): Promise<Locator> {
    await editor.changeSettings({ 'modelAccess.chat.model': model });
    await chat.frame.getByRole('button', { name: `Model: ${model}` }).waitFor();
    await chat.ask(question);
    return chat.lastingAnswer(0);
  }

  it('is the same everywhere for a stopped answer', async () => {
    const answer = await ask('familya-sonnet-4.6', 'write 20000 words');
    await answer.filter({ hasText: /(\S+\s+){20}/ }).waitFor();
    await chat.stop.click();
    await answer.getByText('Stopped', { exact: true }).waitFor();
    await figures.assertSame('familya-sonnet-4.6', await figures.inChat(answer));
  });

  it('is the same everywhere for a stopped answer of a route whose first model could not answer', async () => {
    const failing = 'familya-opus-4.6+overloaded';
    await editor.changeSettings({ 'modelAccess.routes': { spare: { use: [failing, 'familyc-5.3-codex'] } } });
    try {
      const answer = await ask('spare', 'write 20000 words');
      await answer.filter({ hasText: /(\S+\s+){20}/ }).waitFor();
      await chat.stop.click();
      await answer.getByText('Stopped', { exact: true }).waitFor();
      const inTraffic = await figures.inTraffic('spare');
      const { detail } = new TrafficTab(editor.page);
      await detail.getByRole('listitem', { name: /^Attempt 1, .*overloaded/ }).waitFor();
      await figures.assertSame('spare', await figures.inChat(answer), inTraffic);
    } finally {
      await editor.changeSettings({ 'modelAccess.routes': {} });
    }
  });

  it('is the same everywhere for an answer whose connection broke', async () => {
    const answer = await ask('familya-opus-4.6+cut', 'write 60 words');
    await chat.failure.waitFor();
    await figures.assertSame('familya-opus-4.6+cut', await figures.inChat(answer));
  });

  it('is the same everywhere for answers in progress when the extension host is killed, whose text is kept', async function () {
    if (process.platform === 'win32') this.skip();
    const [stalled, streaming] = ['familya-haiku-4.5+stall', 'familyb-3.1-pro'];
    const earlier = await ask(stalled, 'write 200 words');
    await earlier.filter({ hasText: /plain words/ }).waitFor();
    await figures.whenStored(stalled, earlier);
    // A chat goes on while another one is shown.
    await workbench.runCommand('Model Access: New Chat');
    await chat.emptyHeading.waitFor();
    const answer = await askHere(streaming, 'write 20000 words');
    // The chat's file is a moment behind what is shown.
    await answer.filter({ hasText: /(\S+\s+){40}/ }).waitFor();
    await editor.killExtensionHosts();
    await assertKept(answer);
    assert.match(await answer.locator('.answer-body').innerText(), /(\S+\s+){15}/);
    await assertFiguresOfLedger(streaming, answer);

    await workbench.runCommand('Model Access: Open Chat from History…');
    await chat.historyRows.filter({ hasText: 'write 200 words' }).first().click();
    await assertKept(answer);
    await assertFiguresOfLedger(stalled, answer);
  });

  /** Waits until an answer that was not ended has the figures of the ledger, and compares them. */
  async function assertFiguresOfLedger(model: string, answer: Locator): Promise<void> {
    const inTraffic = await figures.inTraffic(model);
    await eventually(
      'the figures of the ledger in the chat',
      async () => (await figures.inChat(answer)).cost === inTraffic.cost,
    );
    await figures.assertSame(model, await figures.inChat(answer), inTraffic);
  }

  it('is the same everywhere for a gateway stream aborted by its client before usage is reported', async () => {
    const model = 'familyc-5.4';
    const view = new SideView(editor.page, workbench, 'Gateway');
    await workbench.runCommand('Model Access: Start Gateway');
    await workbench.waitForStatusBar('modelAccess.status', /\d{4,5}/);
    await view.show();
    const address = await copied(view, 'http://127.0.0.1', 'Copy Gateway Address', /^http/);
    const key = await copied(view, 'default', 'Copy Local Key', /^key_/);
    const client = new AbortController();
    const response = await fetch(`${address}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'write 20000 words' }] }),
      signal: client.signal,
    });
    const reader = response.body?.getReader();
    for (let bytes = 0; bytes < 4000; ) bytes += (await reader?.read())?.value?.length ?? 4000;
    client.abort();
    await reader?.closed.catch(() => undefined);
    const inTraffic = await figures.inTraffic(model);
    await figures.assertSame(model, inTraffic, inTraffic);
    const row = view.row(/default.*≈/);
    await eventuallyEqual(async () => costIn(await row.innerText()), inTraffic.cost);
  });

  /** Clicks a button that copies, and returns what it has copied. */
  async function copied(view: SideView, row: string, button: string, looks: RegExp): Promise<string> {
    await workbench.clearClipboard();
    await view.press(row, button);
    await eventually(`the clipboard after ${button}`, async () => looks.test(await workbench.readClipboard()));
    return workbench.readClipboard();
  }
});
