import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import OpenAI from 'openai';
import type { Locator } from 'playwright-core';
import type { Editor } from '../support/editor/editor.ts';
import { KeyPageTab } from '../support/editor/keyPageTab.ts';
import { retried } from '../support/editor/retried.ts';
import { sandboxEditor } from '../support/editor/sharedEditors.ts';
import { SideView } from '../support/editor/sideView.ts';
import { TrafficTab } from '../support/editor/trafficTab.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { eventually } from '../support/eventually.ts';

const MODEL = 'familya-haiku-4.5';
const NAME = 'view test';
const GATEWAY = 'modelAccess.gateway';
const SHORT_WAIT_MS = 4000;
const RESULT_WAIT_MS = 10_000;

describe('the gateway view', () => {
  let editor: Editor;
  let workbench: Workbench;
  let view: SideView;

  before(async () => {
    editor = await sandboxEditor();
    ({ workbench } = editor);
    view = new SideView(editor.page, workbench, 'Gateway');
  });
  after(async () => {
    await workbench.stopGateway();
    await editor.changeSettings({ 'modelAccess.gateway.port': 0 });
    await workbench.clearNotifications();
    await workbench.runCommand('View: Show Explorer');
  });

  beforeEach(async () => {
    await view.show();
    await view.welcome.or(view.row('Running')).first().waitFor();
    if (await view.welcome.isVisible()) await view.welcome.getByRole('button', { name: 'Start Gateway' }).click();
    await view.row('Running').waitFor();
    await workbench.clearNotifications();
  });

  /** Clicks a button that copies, and returns what it has copied. */
  async function copied(row: string | RegExp, button: string, looks: RegExp): Promise<string> {
    await workbench.clearClipboard();
    await view.press(row, button);
    await eventually(`the clipboard after ${button}`, async () => looks.test(await workbench.readClipboard()));
    return workbench.readClipboard();
  }

  const copiedAddress = () =>
    copied('http://127.0.0.1', 'Copy Gateway Address', /^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
  const copiedKey = (name: string) => copied(name, 'Copy Local Key', /^key_/);

  /**
   * Repeats both choices until the next step is shown: the editor closes a list whose focus is taken, and a list that is
   * rendered again under the pointer takes the click in another row.
   */
  async function chooseAndPick(entry: string, row: RegExp, next: Locator): Promise<void> {
    await retried(async () => {
      await view.chooseFor(workbench.quickInput.row(row), NAME, entry);
      await workbench.quickInput.row(row).click({ timeout: SHORT_WAIT_MS });
      await next.waitFor({ timeout: RESULT_WAIT_MS });
    });
  }

  it('says where the gateway is, gives its address, and what to do once it is stopped', async () => {
    await copiedAddress();
    await view.row(/^Running.*in this window$/).waitFor();
    await view.row(/^messages.*\/messages$/).waitFor();
    await view.pressFor(view.welcome.getByText('Other tools can use your key'), 'Running', 'Stop Gateway');
    assert.equal(await view.rows.count(), 0);
    await editor.screenshot('gateway view off');
  });

  it('shows what a key has spent of its budget, and changes, copies and revokes it', async () => {
    const { quickInput, notifications } = workbench;
    await view.press('Local keys', 'Create Local Key');
    const page = new KeyPageTab(editor.page);
    await page.name.fill(NAME);
    await page.frame.getByText('Tokens', { exact: true }).click();
    await page.field('In total').fill('1000');
    await page.create.press('Enter');
    await page.frame.getByText(`The local key “${NAME}” was created.`).waitFor();
    await page.close();
    await view.row(`${NAME}0 of 1,000 tokens`).waitFor();
    const baseURL = await copiedAddress();
    const apiKey = await copiedKey(NAME);
    const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: 'echo: hello' }];
    await client.chat.completions.create({ model: MODEL, max_tokens: 50, messages });
    await view.row(new RegExp(`${NAME}[1-9]\\d* of 1,000 tokens`)).waitFor();
    await view.row(/█░.*used just now/).waitFor();
    for (const theme of ['Light Modern', 'Dark High Contrast', 'Dark Modern']) {
      await workbench.chooseTheme(theme);
      await editor.screenshot(`gateway view ${theme}`);
    }

    const [, used = ''] = /(\d+) of 1,000 tokens/.exec(await view.row(NAME).innerText()) ?? [];
    await chooseAndPick('Set Budgets of Local Key…', /^Daily budget/, quickInput.row('Tokens…'));
    await quickInput.pick('Tokens…');
    await quickInput.enter(used);
    await view.row(new RegExp(`${NAME}${used} of ${used} tokens today · paused`)).waitFor();
    await view.row(new RegExp(`${used} of 1,000 tokens in total`)).waitFor();
    await workbench.waitForStatusBar(GATEWAY, new RegExp(`${NAME} 100%`));
    await notifications.waitFor(`Local key “${NAME}”: the daily budget is used up`);
    await editor.screenshot('gateway view with two budgets');
    await workbench.clearNotifications();
    await assert.rejects(
      client.chat.completions.create({ model: MODEL, max_tokens: 5, messages }),
      (error) => error instanceof OpenAI.APIError && error.status === 402 && /daily budget/.test(error.message),
    );

    const question = quickInput.message.getByText('Name of the key');
    await chooseAndPick('Change Name or Limits of Local Key…', /^Nameview test/, question);
    await quickInput.enter('renamed');
    await view.row('renamed').waitFor();
    const revoke = notifications.dialog.getByRole('button', { name: 'Revoke', exact: true });
    await view.chooseFor(revoke, 'renamed', 'Revoke Local Key…');
    await revoke.click();
    await view.row('renamed').waitFor({ state: 'detached' });
    await assert.rejects(
      client.chat.completions.create({ model: MODEL, max_tokens: 50, messages }),
      OpenAI.AuthenticationError,
    );
  });

  it('shows what runs, leads to it in the traffic view, and cancels it', async () => {
    const baseURL = await copiedAddress();
    const apiKey = await copiedKey('default');
    const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: 'echo: hello' }];
    const stream = await client.chat.completions.create({ model: `${MODEL}+stall`, stream: true, messages });
    const ended = assert.rejects(async () => {
      for await (const _ of stream);
    });
    await view.row(/^Running now1$/).waitFor();
    await view.row(new RegExp(`^default${MODEL}\\+stall · \\d+ s`)).waitFor();
    const heading = new TrafficTab(editor.page).detail.getByRole('heading', { name: `${MODEL}+stall` });
    await view.pressFor(heading, `${MODEL}+stall`, 'Show in Traffic');
    await editor.screenshot('gateway view with a running exchange');
    await view.pressFor(view.row(/^Running now/), `${MODEL}+stall`, 'Cancel', 'detached');
    await ended;
  });

  it('shows the limits of a key, and which of its requests waits for one', async () => {
    const name = 'one at a time';
    await workbench.closeAllEditors();
    await view.press('Local keys', 'Create Local Key');
    const page = new KeyPageTab(editor.page);
    await page.name.fill(name);
    await page.field('Parallel requests').fill('1');
    await page.create.press('Enter');
    await page.frame.getByText(`The local key “${name}” was created.`).waitFor();
    await page.close();
    await view.row(/^one at a time.*1 in parallel/).waitFor();
    const client = new OpenAI({ baseURL: await copiedAddress(), apiKey: await copiedKey(name), maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: 'echo: hello' }];
    const running = await client.chat.completions.create({ model: `${MODEL}+stall`, stream: true, messages });
    const queued = client.chat.completions.create({ model: MODEL, max_tokens: 50, messages });
    await view.row(/^one at a time.*1 waiting · 1 in parallel/).waitFor();
    await view.row(new RegExp(`^one at a time${MODEL} · .* · in the queue$`)).waitFor();
    const { detail } = new TrafficTab(editor.page);
    await view.pressFor(detail.getByRole('heading', { name: MODEL }), /in the queue$/, 'Show in Traffic');
    await detail.getByText('Waiting for the key’s limit of parallel requests').first().waitFor();
    await editor.screenshot('gateway view with a queue');
    running.controller.abort();
    assert.equal((await queued).choices[0]?.message.content, 'hello');
    await view.row(/1 waiting/).waitFor({ state: 'detached' });
    const revoke = workbench.notifications.dialog.getByRole('button', { name: 'Revoke', exact: true });
    await view.chooseFor(revoke, name, 'Revoke Local Key…');
    await revoke.click();
    await view.row(name).waitFor({ state: 'detached' });
  });

  it('leads from a key to its exchanges, and from all keys to the usage', async () => {
    const traffic = new TrafficTab(editor.page);
    await view.chooseFor(traffic.button('Remove Key default from the filter'), 'default', 'Show in Traffic');
    await view.pressFor(editor.page.getByRole('tab', { name: 'Usage', selected: true }), 'Local keys', 'Open Usage');
    await workbench.closeAllEditors();
  });

  it('names the port that is taken, and starts on another one', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    try {
      await view.pressFor(view.welcome, 'Running', 'Stop Gateway');
      await editor.changeSettings({ 'modelAccess.gateway.port': port });
      await view.show();
      await view.welcome.getByRole('button', { name: 'Start Gateway' }).click();
      await view.row(`Port ${port} is in use`).waitFor();
      await editor.screenshot('gateway view with the port in use');
      await view.row('Use another port').click();
      await view.row('Running').waitFor();
    } finally {
      taken.close();
    }
  });
});
