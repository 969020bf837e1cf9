import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Locator } from 'playwright-core';
import type { ChatPanel } from '../support/editor/chatPanel.ts';
import { type Editor, openEditor } from '../support/editor/editor.ts';
import { retried } from '../support/editor/retried.ts';
import { newChat } from '../support/editor/sharedEditors.ts';
import { SideView } from '../support/editor/sideView.ts';
import { TrafficTab } from '../support/editor/trafficTab.ts';
import { UsageTab } from '../support/editor/usageTab.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { eventually } from '../support/eventually.ts';

const SHORT_WAIT_MS = 4000;

/** A request's figures as a view shows them, with the sign of an estimate. */
interface Told {
  readonly outputTokens: string;
  /** Undefined if the catalog does not have the model, such as one that selects a fault of the sandbox. */
  readonly cost: string | undefined;
}

/** Returns an amount such as `≈ $0.0017`, without the zeros that sums omit. */
function costIn(text: string): string | undefined {
  const [, sign = '', amount] = /(≈\s*)?(?:sample )?\$(\d+\.\d+)/.exec(text) ?? [];
  return amount && `${sign.trim()}${Number(amount)}`;
}

const withoutSpaces = (text: string) => text.replace(/\s/g, '');

// Each request has a model of its own, so that its row can be found everywhere.
describe('what a request cost, in all places that tell it', () => {
  let editor: Editor;
  let workbench: Workbench;
  let chat: ChatPanel;
  let traffic: TrafficTab;
  let usage: UsageTab;

  before(async () => {
    editor = await openEditor({
      name: 'same figures',
      settings: { 'modelAccess.sandbox.enabled': true, 'modelAccess.gateway.port': 0 },
    });
    ({ workbench } = editor);
    traffic = new TrafficTab(editor.page);
    usage = new UsageTab(editor.page);
    await editor.openChat();
  });
  after(() => editor.close());

  async function ask(model: string, question: string): Promise<Locator> {
    chat = await newChat(editor);
    await editor.changeSettings({ 'modelAccess.chat.model': model });
    await chat.frame.getByRole('button', { name: `Model: ${model}` }).waitFor();
    await chat.ask(question);
    return chat.answers.first();
  }

  async function inChat(answer: Locator): Promise<Told> {
    const text = await answer.locator('.figures').innerText();
    const [, outputTokens = ''] = /(≈\s?[\d.k]+) out/.exec(text) ?? [];
    return { outputTokens: withoutSpaces(outputTokens), cost: costIn(text) };
  }

  async function inTraffic(model: string): Promise<Told> {
    const row = traffic
      .row(model)
      .filter({ hasNot: traffic.result('Running') })
      .first();
    // A window that was closed may still be writing; the list is read when it is opened.
    await retried(async () => {
      await workbench.closeAllEditors();
      await workbench.runCommand('Model Access: Open Traffic');
      await row.waitFor({ timeout: SHORT_WAIT_MS });
    });
    const cost = costIn(await row.innerText());
    await row.click();
    const output = traffic.detail
      .getByRole('row', { name: /^Output/ })
      .locator('.number')
      .first();
    const outputTokens = await output.innerText();
    return { outputTokens: withoutSpaces(outputTokens), cost };
  }

  /** Returns the sums of a model that was called once. Their tokens have no sign. */
  async function inUsage(model: string): Promise<Told> {
    await workbench.closeAllEditors();
    await workbench.runCommand('Model Access: Open Usage');
    await usage.waitUntilRead();
    const cells = async () => (await usage.rows('Models')).find(([name]) => name === model);
    await eventually(`${model} in the usage`, async () => (await cells()) !== undefined);
    const [, requests, , outputTokens = '', ...others] = (await cells()) ?? [];
    assert.equal(requests, '1');
    return { outputTokens: `≈${outputTokens}`, cost: costIn(others.at(-1) ?? '') };
  }

  async function assertSame(model: string, told: Told): Promise<void> {
    assert.match(told.outputTokens, /^≈[1-9]/);
    assert.equal(told.cost === undefined, model.includes('+'), JSON.stringify(told));
    assert.deepEqual({ traffic: await inTraffic(model), usage: await inUsage(model) }, { traffic: told, usage: told });
    await workbench.closeAllEditors();
  }

  it('is the same of an answer that was stopped', async () => {
    const answer = await ask('familya-sonnet-4.6', 'write 20000 words');
    await answer.filter({ hasText: /(\S+\s+){40}/ }).waitFor();
    await chat.stop.click();
    await answer.getByText('Stopped', { exact: true }).waitFor();
    await assertSame('familya-sonnet-4.6', await inChat(answer));
  });

  it('is the same of an answer whose connection broke', async () => {
    const answer = await ask('familya-opus-4.6+cut', 'write 200 words');
    await chat.failure.waitFor();
    await assertSame('familya-opus-4.6+cut', await inChat(answer));
  });

  /** Waits until both the chat's file and the ledger contain what arrived before the answer stalled. */
  async function stalled(model: string): Promise<Locator> {
    const answer = await ask(model, 'write 200 words');
    await answer.filter({ hasText: /plain words/ }).waitFor();
    await eventually('the answer in its file and in the ledger', async () => {
      const files = await editor.profileFilesWith('plain words');
      const database = new DatabaseSync(join(editor.storage, 'ledger.sqlite'), { readOnly: true });
      const row = database.prepare('SELECT output_tokens FROM running WHERE model = ?').get(model);
      database.close();
      const shown = /(\d+) out/.exec(await answer.innerText())?.[1];
      const inFile = await Promise.all(files.map((file) => readFile(file, 'utf8')));
      const isInFile = inFile.some((text) => text.includes(model) && text.includes(`"outputTokens":${shown}`));
      return isInFile && String(row?.output_tokens) === shown;
    });
    return answer;
  }

  it('is the same of an answer in whose middle the window was loaded again', async () => {
    const model = 'familya-opus-4.5+stall';
    const answer = await stalled(model);
    await editor.reload();
    await answer.getByText('Stopped', { exact: true }).waitFor();
    await assertSame(model, await inChat(answer));
  });

  it('is the same of an answer in whose middle the extension host was killed', async function () {
    if (process.platform === 'win32') this.skip();
    const model = 'familya-haiku-4.5+stall';
    const answer = await stalled(model);
    await editor.killExtensionHosts();
    await answer.getByText('Stopped', { exact: true }).waitFor();
    await assertSame(model, await inChat(answer));
  });

  it('is the same of an answer that was growing when the extension host was killed', async function () {
    if (process.platform === 'win32') this.skip();
    const model = 'familyb-3.1-pro';
    const answer = await ask(model, 'write 20000 words');
    await answer.filter({ hasText: /(\S+\s+){40}/ }).waitFor();
    await editor.killExtensionHosts();
    await answer.getByText('Stopped', { exact: true }).waitFor();
    const told = await inTraffic(model);
    await eventually('the figures of the ledger in the chat', async () => (await inChat(answer)).cost === told.cost);
    await assertSame(model, await inChat(answer));
  });

  it('is the same of a stream through the gateway that its client left before the usage was told', async () => {
    const model = 'familyc-5.4';
    const view = new SideView(editor.page, workbench, 'Gateway');
    await workbench.runCommand('Model Access: Start Gateway');
    await workbench.waitForStatusBar('modelAccess.gateway', /\d{4,5}/);
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
    const told = await inTraffic(model);
    await assertSame(model, told);
    const row = view.row(/default.*≈/);
    await row.waitFor();
    assert.equal(costIn(await row.innerText()), told.cost);
  });

  /** Clicks a button that copies, and returns what it has copied. */
  async function copied(view: SideView, row: string, button: string, looks: RegExp): Promise<string> {
    await workbench.clearClipboard();
    await view.press(row, button);
    await eventually(`the clipboard after ${button}`, async () => looks.test(await workbench.readClipboard()));
    return workbench.readClipboard();
  }
});
