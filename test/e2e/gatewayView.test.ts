import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import OpenAI from 'openai';
import type { Editor } from '../support/editor/editor.ts';
import { KeyPageTab } from '../support/editor/keyPageTab.ts';
import { tabFrame } from '../support/editor/pageFrames.ts';
import { freshSandboxEditor } from '../support/editor/sharedEditors.ts';
import { SideView } from '../support/editor/sideView.ts';
import { TrafficTab } from '../support/editor/trafficTab.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';

const MODEL = 'familya-haiku-4.5';
const NAME = 'view test';
/** The keys that the tests create and revoke. */
const KEYS = [NAME, 'renamed', 'capped', 'one at a time'];
const STATUS = 'modelAccess.status';

describe('the gateway view', () => {
  let editor: Editor;
  let workbench: Workbench;
  let view: SideView;

  before(async () => {
    editor = await freshSandboxEditor();
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

  /** Revokes what a failed test has left, because with several keys, the commands of other suites ask for one of them. */
  afterEach(async () => {
    await workbench.closeAllEditors();
    await view.show();
    for (const name of KEYS) if (await view.row(name).isVisible()) await revokeKey(name);
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

  async function revokeKey(name: string): Promise<void> {
    const revoke = workbench.notifications.dialog.getByRole('button', { name: 'Revoke', exact: true });
    await view.chooseFor(revoke, name, 'Revoke Local Key…');
    await revoke.click();
    await view.row(name).waitFor({ state: 'detached' });
  }

  it('shows where the gateway runs, copies its address, and shows the welcome content once stopped', async () => {
    await copiedAddress();
    await view.row(/^Running.*in this window$/).waitFor();
    await view.row(/^messages.*\/messages$/).waitFor();
    await view.pressFor(view.welcome.getByText('Other tools can use your key'), 'Running', 'Stop Gateway');
    await eventuallyEqual(() => view.rows.count(), 0);
    await editor.screenshot('gateway view off');
  });

  it('shows a key’s spending against its budget, and changes, copies, and revokes the key', async () => {
    const { notifications } = workbench;
    const page = new KeyPageTab(editor.page);
    await view.pressFor(page.name, 'Local keys', 'Create Local Key');
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
    // A budget has a row once a noticeable share of it is used.
    const messages = [{ role: 'user' as const, content: `echo: ${'hello '.repeat(20)}` }];
    await client.chat.completions.create({ model: MODEL, max_tokens: 50, messages });
    await view.row(new RegExp(`${NAME}[1-9]\\d* of 1,000 tokens`)).waitFor();
    // The row of the key had no rows below it until now, so the editor shows it collapsed.
    await view.row(NAME).locator('.monaco-tl-twistie').click();
    await view.row(/\d%\s*of the budget.*used just now/).waitFor();
    await editor.screenshot('gateway view');

    const [, used = ''] = /(\d+) of 1,000 tokens/.exec(await view.row(NAME).innerText()) ?? [];
    await view.chooseFor(page.name, NAME, 'Set Budgets of Local Key…');
    await page.field('Each day').fill(used);
    await page.field('Each day').press('Enter');
    await page.frame.getByText(`The local key “${NAME}” was changed.`).waitFor();
    // The message covers the buttons of the page.
    await notifications.waitFor(`Local key “${NAME}”: the daily budget is used up`);
    await workbench.clearNotifications();
    await page.close();
    await view.row(new RegExp(`${NAME}${used} of ${used} tokens today · paused`)).waitFor();
    await view.row(new RegExp(`${used} of 1,000 tokens in total`)).waitFor();
    await workbench.waitForStatusBar(STATUS, new RegExp(`${NAME} 100%`));
    await editor.screenshot('gateway view with two budgets');
    await assert.rejects(
      client.chat.completions.create({ model: MODEL, max_tokens: 5, messages }),
      (error) => error instanceof OpenAI.APIError && error.status === 402 && /daily budget/.test(error.message),
    );

    await view.chooseFor(page.name, NAME, 'Change Name or Limits of Local Key…');
    await page.name.fill('renamed');
    await page.name.press('Enter');
    await page.frame.getByText('The local key “renamed” was changed.').waitFor();
    await page.close();
    await view.row('renamed').waitFor();
    await revokeKey('renamed');
    await assert.rejects(
      client.chat.completions.create({ model: MODEL, max_tokens: 50, messages }),
      OpenAI.AuthenticationError,
    );
  });

  it('shows the sessions of a key with a session cap, raises a cap, and ends a session', async () => {
    const { notifications } = workbench;
    const page = new KeyPageTab(editor.page);
    await view.pressFor(page.name, 'Local keys', 'Create Local Key');
    await page.name.fill('capped');
    await page.unfoldLimits();
    await page.field('Dollars per session').fill('0.01');
    await page.create.press('Enter');
    await page.frame.getByText('The local key “capped” was created.').waitFor();
    await page.close();
    await view.row(/^Session cap\$0\.01 for each session$/).waitFor();
    const baseURL = await copiedAddress();
    const apiKey = await copiedKey('capped');
    const defaultHeaders = { 'x-claude-code-session-id': 'view' };
    const client = new OpenAI({ baseURL, apiKey, maxRetries: 0, defaultHeaders });
    const ask = (times = 1_000) =>
      client.chat.completions.create({
        model: 'familya-opus-4.6',
        messages: [
          { role: 'system', content: 'Answer in few words. '.repeat(times) },
          { role: 'user', content: 'echo: hello' },
        ],
      });

    await ask(100);
    await view.row(/^Session cap\$0\.01 for each session · 1 open$/).waitFor();
    const waiting = ask();
    await view.row(/^\d\d:\d\d\$0\.0\d+ of \$0\.01 · waits for your answer/).waitFor();
    await workbench.waitForStatusBar(STATUS, /· 1 session waits/);
    await editor.screenshot('gateway view with a session at its cap');
    await view.row(/waits for your answer/).click();
    const session = tabFrame(editor.page);
    await session.getByRole('heading', { name: 'Session cap' }).waitFor();
    await session.getByRole('textbox', { name: 'Raise by' }).fill('1');
    await editor.screenshot('session page at its cap');
    await session.getByRole('button', { name: 'Raise to $1.01' }).click();
    await waiting;
    await view.row(/^\d\d:\d\d\$0\.0\d+ of \$1\.01( · turn \d+)?$/).waitFor();
    await workbench.waitForStatusBar(STATUS, / \d{4,5}$/);

    const end = notifications.dialog.getByRole('button', { name: 'End Session', exact: true });
    await view.chooseFor(end, /of \$1\.01/, 'End Session…');
    await end.click();
    await view.row(/of \$1\.01 · ended/).waitFor();
    await assert.rejects(ask(), (error) => error instanceof OpenAI.APIError && /session was ended/.test(error.message));
    await workbench.closeAllEditors();
    await revokeKey('capped');
  });

  it('shows running requests, opens one in the traffic view, and cancels it', async () => {
    const baseURL = await copiedAddress();
    const apiKey = await copiedKey('default');
    const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: 'echo: hello' }];
    const stream = await client.chat.completions.create({ model: `${MODEL}+stall`, stream: true, messages });
    const ended = assert.rejects(async () => {
      for await (const _ of stream);
    });
    await view.row(/^Running now1$/).waitFor();
    await view.row(new RegExp(`^default${MODEL}\\+stall · since \\d\\d:\\d\\d`)).waitFor();
    const heading = new TrafficTab(editor.page).detail.getByRole('heading', { name: `${MODEL}+stall` });
    await view.pressFor(heading, `${MODEL}+stall`, 'Show in Traffic');
    await editor.screenshot('gateway view with a running exchange');
    await view.pressFor(view.row(/^Running now/), `${MODEL}+stall`, 'Cancel', 'detached');
    await ended;
  });

  it('shows the limits of a key and which of its requests is queued', async () => {
    const name = 'one at a time';
    await workbench.closeAllEditors();
    const page = new KeyPageTab(editor.page);
    await view.pressFor(page.name, 'Local keys', 'Create Local Key');
    await page.name.fill(name);
    await page.unfoldLimits();
    await page.field('Parallel requests').fill('1');
    await page.field('Requests per minute').fill('60');
    await page.create.press('Enter');
    await page.frame.getByText(`The local key “${name}” was created.`).waitFor();
    await page.close();
    await view.row(/^Queue0 of 1 running$/).waitFor();
    const client = new OpenAI({ baseURL: await copiedAddress(), apiKey: await copiedKey(name), maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: 'echo: hello' }];
    const running = await client.chat.completions.create({ model: `${MODEL}+stall`, stream: true, messages });
    const queued = client.chat.completions.create({ model: MODEL, max_tokens: 50, messages });
    await view.row(/^one at a time.*1 waiting/).waitFor();
    await view.row(/^Queue1 waiting · 1 of 1 running$/).waitFor();
    await view.row(new RegExp(`^${MODEL}since \\d\\d:\\d\\d · next$`)).waitFor();
    await view.row(/^Requests per minute1 of 60$/).waitFor();
    await view.row(new RegExp(`^one at a time${MODEL} · .* · in the queue$`)).waitFor();
    const { detail } = new TrafficTab(editor.page);
    await view.pressFor(detail.getByRole('heading', { name: MODEL }), /in the queue$/, 'Show in Traffic');
    await detail.getByText('Waiting for the key’s limit of parallel requests').first().waitFor();
    await editor.screenshot('gateway view with a queue');
    running.controller.abort();
    assert.equal((await queued).choices[0]?.message.content, 'hello');
    await view.row(/1 waiting/).waitFor({ state: 'detached' });
    await view.row(/^Queue0 of 1 running$/).waitFor();
    await view.row(/^Requests per minute2 of 60$/).waitFor();
    await revokeKey(name);
  });

  it('opens the requests of one key in the traffic view and all keys in the usage view', async () => {
    const traffic = new TrafficTab(editor.page);
    await view.chooseFor(traffic.button('Remove Key default from the filter'), 'default', 'Show in Traffic');
    await view.pressFor(editor.page.getByRole('tab', { name: 'Usage', selected: true }), 'Local keys', 'Open Usage');
    await workbench.closeAllEditors();
  });

  it('shows which port is in use and starts on another one', async () => {
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
