import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { readBalance } from '../../src/service/balance.ts';
import type { ChatPanel } from '../support/editor/chatPanel.ts';
import type { Editor } from '../support/editor/editor.ts';
import { connect, disconnect, freshEditor, newChat } from '../support/editor/sharedEditors.ts';
import { UsageTab } from '../support/editor/usageTab.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { type HostedService, startHostedService } from '../support/hostedService.ts';
import { emptyLedger, lastBalance } from '../support/ledgers.ts';

const KEY = 'key_limits-4e1d7a90b2c35f68';
const STATUS = 'modelAccess.status';
/** What the tests change, as it is after the installation. */
const DEFAULTS = {
  'modelAccess.balance.warnBelow': 1,
  'modelAccess.chat.model': '',
  'modelAccess.dashboardAddress': '',
  'modelAccess.limits.chat': 0,
  'modelAccess.limits.daily': 0,
};
const DASHBOARD = 'https://dashboard.example/credit';
/** Costs between two and three cents with the default model, which also enters it in its cache. */
const DEAR = `Read this: ${'word '.repeat(7200)}`;

describe('limits and alerts', () => {
  let service: HostedService;
  let editor: Editor;
  let workbench: Workbench;
  let chat: ChatPanel;

  before(async () => {
    service = await startHostedService(KEY, 0.06);
    editor = await freshEditor();
    ({ workbench } = editor);
  });
  before(async () => {
    await editor.changeSettings({ 'modelAccess.balance.warnBelow': 0 });
    await connect(editor, KEY, service.address);
  });
  beforeEach(async () => {
    await workbench.clearNotifications();
    await workbench.closeAllEditors();
    emptyLedger(editor.ledger);
    // The limits read the ledger again when one of them changes.
    await editor.changeSettings({ 'modelAccess.limits.daily': 1 });
    await editor.changeSettings({ ...DEFAULTS, 'modelAccess.balance.warnBelow': 0 });
  });
  after(async () => {
    await workbench.stopGateway();
    await disconnect(editor);
    await editor.changeSettings(DEFAULTS);
    await service.stop();
  });

  /** Waits for the editor's question before it opens an address that is not trusted yet. */
  async function expectDashboard(): Promise<void> {
    const { dialog } = workbench.notifications;
    await dialog.getByText(DASHBOARD).first().waitFor();
    const [opened] = await Promise.all([
      editor.page.context().waitForEvent('page'),
      dialog.getByRole('button', { name: 'Open', exact: true }).click(),
    ]);
    await opened.waitForURL(DASHBOARD);
    await opened.close();
    await dialog.waitFor({ state: 'detached' });
  }

  it('warn once about a low balance and offer the setting, without repeating at every refresh', async () => {
    await editor.changeSettings({ 'modelAccess.balance.warnBelow': 30 });
    await workbench.runCommand('Model Access: Refresh Balance');
    const notice = workbench.notifications.with(/The balance is low: \$0\.\d\d left\./);
    await notice.waitFor();
    await editor.screenshot('balance low');
    await workbench.notifications.choose('The balance is low', 'Set balance warning');
    await workbench.quickInput.title.filter({ hasText: 'Warn when the balance falls below' }).waitFor();
    await workbench.quickInput.cancel();
    await workbench.clearNotifications();
    await workbench.runCommand('Model Access: Refresh Balance');
    await workbench.waitForStatusBar(STATUS, /\$0\.\d\d/);
    assert.equal(await notice.count(), 0);
  });

  it('warn in the status bar from 80% and ask before a limit is exceeded', async () => {
    await editor.changeSettings({ 'modelAccess.limits.daily': 0.03 });
    chat = await newChat(editor);
    await chat.askAndWait(DEAR);
    await workbench.waitForStatusBar(STATUS, /(8|9)\d% of the daily limit/);
    const hover = await workbench.hoverStatusBar(STATUS, /Today: \$0\.\d+ of \$0\.03/);
    await editor.screenshot('limit near');
    // The hover covers the chat's Send button.
    await editor.page.locator('.part.editor').hover();
    await hover.waitFor({ state: 'hidden' });

    await chat.ask('echo: one more');
    const { dialog } = workbench.notifications;
    await dialog.getByText('This request may exceed the daily limit of $0.03.').waitFor();
    await editor.screenshot('limit asked');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await eventually('the question back in the composer', async () => {
      return (await chat.composer.inputValue()) === 'echo: one more';
    });
    await eventuallyEqual(() => chat.answers.count(), 1);

    await chat.composer.press('Enter');
    await dialog.getByRole('button', { name: 'Send Anyway' }).click();
    await eventually('the answer', async () => (await chat.answers.count()) === 2);
    await workbench.waitForStatusBar(STATUS, 'Daily limit reached');
    await editor.page.locator('.part.editor').hover();
    await editor.screenshot('limit reached');
  });

  it('reject requests at the gateway until the limit is raised', async () => {
    chat = await newChat(editor);
    await chat.askAndWait('echo: all that the limit allows');
    await editor.changeSettings({ 'modelAccess.limits.daily': 0.000001 });
    await workbench.waitForStatusBar(STATUS, 'Daily limit reached');
    await workbench.runCommand('Model Access: Start Gateway');
    await workbench.waitForStatusBar('modelAccess.status', /\d{4,5}/);
    await workbench.runCommand('Model Access: Copy Gateway Address');
    await eventually('the address', async () => (await workbench.readClipboard()).startsWith('http'));
    const baseURL = await workbench.readClipboard();
    await workbench.runCommand('Model Access: Copy Local Key');
    await eventually('the key', async () => (await workbench.readClipboard()).startsWith('key_'));
    const client = new OpenAI({ baseURL, apiKey: await workbench.readClipboard(), maxRetries: 0 });
    const ask = () =>
      client.chat.completions.create({
        model: 'familya-haiku-4.5',
        messages: [{ role: 'user', content: 'echo: let in' }],
      });
    await assert.rejects(ask(), (error) => error instanceof OpenAI.APIError && error.status === 402);
    await editor.changeSettings({ 'modelAccess.limits.daily': 5 });
    await eventually('room below the limit', async () => {
      const answer = await ask().catch(() => undefined);
      return answer?.choices[0]?.message.content === 'let in';
    });
    await workbench.statusBarItem(STATUS).filter({ hasNotText: 'limit' }).waitFor();
  });

  /** Waits until the ledger has the balance that the service has now, which ends what earlier tests were charged. */
  async function balanceIsRecorded(): Promise<void> {
    const headers = { authorization: `Bearer ${KEY}` };
    await eventually('the present balance in the ledger', async () => {
      await workbench.runCommand('Model Access: Refresh Balance');
      const response = await fetch(`${service.address}/balance`, { headers });
      const { remaining } = readBalance(await response.json());
      return remaining !== undefined && lastBalance(editor.ledger) === remaining;
    });
  }

  it('can be compared with the service’s charges in the usage view', async () => {
    await balanceIsRecorded();
    emptyLedger(editor.ledger);
    chat = await newChat(editor);
    await chat.askAndWait('echo: charged');
    await workbench.runCommand('Model Access: Refresh Balance');
    await workbench.runCommand('Model Access: Open Usage');
    const usage = new UsageTab(editor.page);
    await usage.waitUntilRead();
    const balance = usage.frame.locator('section.balance');
    // A charge is recorded a few seconds after the balance was read, because prices may have to be read first.
    await eventually('a record that agrees with the balance', async () => {
      await workbench.runCommand('Model Access: Refresh Balance');
      await workbench.runCommand('Model Access: Open Usage');
      return (await balance.getByText('The amounts match.').count()) === 1;
    });
    await eventuallyEqual(() => balance.locator('dd.strong').innerText(), '$0.00');
    await editor.screenshot('usage with the balance');
  });

  it('open the credit dashboard from the usage view and from a repeated notification', async () => {
    await editor.page.context().route(DASHBOARD, (route) => route.fulfill({ body: 'Credit' }));
    await editor.changeSettings({ 'modelAccess.dashboardAddress': '', 'modelAccess.balance.warnBelow': 0.001 });
    await workbench.runCommand('Model Access: Open Usage');
    const usage = new UsageTab(editor.page);
    await usage.waitUntilRead();
    const add = usage.frame.locator('section.balance').getByRole('button', { name: 'Add credit' });
    await eventuallyEqual(() => add.count(), 0);
    await workbench.runCommand('Model Access: Show Balance');
    await workbench.notifications.waitFor(/\$0\.\d+ left/);
    await workbench.clearNotifications();

    const changes = { 'modelAccess.dashboardAddress': DASHBOARD, 'modelAccess.balance.warnBelow': 30 };
    await editor.changeSettings(changes);
    await add.click();
    await expectDashboard();
    await workbench.runCommand('Model Access: Refresh Balance');
    await workbench.notifications.choose('The balance is low', 'Add credit');
    await expectDashboard();
  });

  it('warn before sending that the balance is too low, and block the request', async () => {
    await editor.changeSettings({ 'modelAccess.dashboardAddress': DASHBOARD });
    chat = await newChat(editor);
    await chat.composer.fill(DEAR.repeat(3));
    await chat.frame.getByRole('heading', { name: 'Not enough credit for this request' }).waitFor();
    await chat.frame.getByText(/^This request costs about \$0\.0\d+, and \$0\.\d+ is left\.$/).waitFor();
    await chat.frame.getByRole('button', { name: 'Add credit' }).waitFor();
    await editor.screenshot('balance before sending');
    await chat.send.and(chat.frame.locator('[aria-disabled="true"]')).waitFor();
    await chat.frame.getByRole('button', { name: 'Use a cheaper model' }).click();
    await chat.frame
      .getByRole('heading', { name: 'Not enough credit for this request' })
      .waitFor({ state: 'detached' });
    await chat.send.and(chat.frame.locator('[aria-disabled="false"]')).waitFor();
    await chat.composer.fill('');
  });

  it('ask before models side by side exceed a cap together that none of them would exceed alone', async () => {
    const [first, ...others] = ['familya-opus-4.5', 'familya-sonnet-4.5', 'familyb-3-pro-preview'];
    const question = `Read this: ${'word '.repeat(300)}end`;
    await editor.changeSettings({ 'modelAccess.chat.model': first, 'modelAccess.limits.chat': 0.0022 });
    chat = await newChat(editor);
    await chat.askAndWait(question);

    chat = await newChat(editor);
    await chat.modelPicker.click();
    await chat.frame.getByRole('button', { name: 'Ask several models side by side' }).click();
    const options = chat.frame.getByRole('listbox', { name: 'Models' }).getByRole('option');
    for (const model of others)
      await options
        .filter({ hasText: model.replace(/^family\w-/, '') })
        .first()
        .click();
    await chat.frame.getByRole('button', { name: 'Done' }).click();
    await chat.ask(question);
    const { dialog } = workbench.notifications;
    await dialog.getByText(/^This request costs ≈\s\$0\.003\d*\./).waitFor();
    await editor.screenshot('cap asked for three models');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await eventually('the question back in the composer', async () => {
      return (await chat.composer.inputValue()) === question;
    });
    await eventuallyEqual(() => chat.answers.count(), 0);
  });
});
