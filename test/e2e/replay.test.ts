import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import Anthropic from '@anthropic-ai/sdk';
import { formatSum } from '../../src/display/money.ts';
import type { Editor } from '../support/editor/editor.ts';
import { freshSandboxEditor } from '../support/editor/sharedEditors.ts';
import { TrafficTab } from '../support/editor/trafficTab.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { eventually } from '../support/eventually.ts';

/** The client of the recorded session. */
const CLIENT = 'recorded-cli';
const RECORDED = 'familya-opus-4.6';
const OTHER = 'familya-haiku-4.5';
/** Long enough for costs that differ in their first three figures. */
const SYSTEM = 'Answer in few words. '.repeat(500);

/** A session whose bodies were captured is sent again to another model, after a question. */
describe('the replay of a session', () => {
  let editor: Editor;
  let workbench: Workbench;
  let tab: TrafficTab;

  before(async () => {
    editor = await freshSandboxEditor();
    ({ workbench } = editor);
    await editor.changeSettings({ 'modelAccess.traffic.captureBodies': true });
    tab = new TrafficTab(editor.page);
    await workbench.runCommand('Model Access: Start Gateway');
    await workbench.waitForStatusBar('modelAccess.status', /\d{4,5}/);
    await runSession();
    await eventually('the session in the ledger', async () => sums(CLIENT).requests === 3);
    const tree = await tab.openTree(workbench);
    await tree.getByRole('row', { name: new RegExp(CLIENT) }).waitFor();
    await tree.focus();
    await tree.press('Home');
    await tree.press('Enter');
    await tab.frame.getByRole('heading', { name: new RegExp(CLIENT) }).waitFor();
  });
  after(async () => {
    await workbench.stopGateway();
    await editor.changeSettings({ 'modelAccess.traffic.captureBodies': false });
  });

  async function copied(command: string, done: string): Promise<string> {
    await workbench.runCommand(`Model Access: ${command}`);
    await editor.page.locator('.part.statusbar').getByText(done).waitFor();
    return workbench.readClipboard();
  }

  /** Two questions, the first with a second request. */
  async function runSession(): Promise<void> {
    const baseURL = (await copied('Copy Gateway Address', 'Address copied')).replace(/\/v1$/, '');
    const apiKey = await copied('Copy Local Key', 'Local key copied');
    const client = new Anthropic({
      baseURL,
      apiKey,
      maxRetries: 0,
      defaultHeaders: { 'user-agent': `${CLIENT}/2.1.0`, 'x-claude-code-session-id': 'recorded' },
    });
    const messages: Anthropic.MessageParam[] = [];
    for (const [turn, content] of [
      ['1', 'echo: the first question'],
      ['1', 'echo: go on'],
      ['2', 'echo: the second question'],
    ] as const) {
      messages.push({ role: 'user', content });
      const stream = client.messages.stream(
        { model: RECORDED, max_tokens: 300, system: SYSTEM, messages },
        { headers: { 'x-claude-code-prompt-id': turn } },
      );
      messages.push({ role: 'assistant', content: (await stream.finalMessage()).content });
    }
  }

  /** Sums by SQLite of the requests of one client. */
  function sums(client: string) {
    const database = new DatabaseSync(join(editor.storage, 'ledger.sqlite'), { readOnly: true });
    try {
      const [row] = database
        .prepare(
          `SELECT count(*) AS requests, count(DISTINCT session_id) AS sessions, count(DISTINCT turn_id) AS turns,
             sum(cost) / 1e9 AS cost, min(model) AS model FROM exchanges WHERE client = ?`,
        )
        .all(client);
      return { ...row };
    } finally {
      database.close();
    }
  }

  /** Goes through the questions up to the one that names the price. */
  async function askForReplay(): Promise<void> {
    await tab.button('Replay on Another Model…').click();
    await workbench.quickInput.pickByName(OTHER);
    await workbench.quickInput.title.filter({ hasText: `Replay which turns on ${OTHER}?` }).waitFor();
    await workbench.quickInput.row('Turn 2').waitFor();
    await workbench.quickInput.input.press('Enter');
    await workbench.notifications.dialog.getByText(`Send 3 requests to ${OTHER}?`).waitFor();
  }

  it('shows a price and sends nothing without confirmation', async () => {
    await askForReplay();
    const { dialog } = workbench.notifications;
    await dialog.getByRole('button', { name: /^Replay for (?:≈\s?|< )\$[\d.]+ to (?:< )?\$[\d.]+$/ }).waitFor();
    await dialog.getByText(/^Sandbox: sample money/).waitFor();
    await dialog.getByText(/No tools are run/).waitFor();
    await editor.screenshot('replay question');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    assert.equal(sums('model-access-replay').requests, 0);
    await tab.button('Replay on Another Model…').waitFor();
  });

  it('shows both answers side by side with the costs from the ledger', async () => {
    await askForReplay();
    await workbench.notifications.dialog.getByRole('button', { name: /^Replay for / }).click();
    await tab.frame.getByRole('heading', { name: /Replay on familya-haiku-4\.5/ }).waitFor();
    await tab.frame.getByText('3 of 3 answered').waitFor();
    const requests = tab.frame.locator('details.replayed');
    assert.equal(await requests.count(), 3);
    for (const [index, text] of ['the first question', 'go on', 'the second question'].entries()) {
      const sides = requests.nth(index).locator('.side .said');
      assert.deepEqual(
        (await sides.allTextContents()).map((said) => said.includes(text)),
        [true, true],
      );
    }
    await eventually('the records of the replay', async () => sums('model-access-replay').requests === 3);
    const { sessions, turns, cost, model } = sums('model-access-replay');
    assert.deepEqual([sessions, turns, model], [1, 2, OTHER]);
    const figures = tab.frame.locator('.figure-box').filter({ hasText: 'Cost' });
    const shown = [Number(cost), Number(sums(CLIENT).cost)].map((usd) => formatSum(usd));
    await eventually('the cost of the replay', async () => {
      const [replayed, recorded] = await figures.locator('dd').allTextContents();
      return replayed === shown[0] && recorded === `${shown[1]} recorded`;
    });
    await editor.screenshot('replay');
  });

  it('is marked in the traffic view', async () => {
    await tab.button('Show in Traffic').click();
    await eventually('the requests of the replay', async () => (await tab.row('Replay').count()) === 3);
    assert.equal(await tab.rows.count(), 3);
  });
});
