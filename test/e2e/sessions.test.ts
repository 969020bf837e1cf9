import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import Anthropic from '@anthropic-ai/sdk';
import { formatMoney } from '../../src/display/money.ts';
import { formatTokens } from '../../src/display/tokens.ts';
import type { Editor } from '../support/editor/editor.ts';
import { writtenText } from '../support/editor/files.ts';
import { freshSandboxEditor, newChat } from '../support/editor/sharedEditors.ts';
import { TrafficTab } from '../support/editor/trafficTab.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';

const MODEL = 'familya-opus-4.6';
/** The client of this suite’s requests. */
const CLIENT = 'session-cli';
const TURNS = 10;
const CANARY = 'canary of the session test';
/** The client's ID of its session, of which the ledger has only a hash. */
const CLIENT_ID = '7c0ffee0-1111-4222-8333-444455556666';

/** An agent's session as an official SDK sends it: ten questions, with a tool call after each. */
describe('a session of ten turns through the gateway', () => {
  let editor: Editor;
  let workbench: Workbench;
  let traffic: TrafficTab;

  before(async () => {
    editor = await freshSandboxEditor();
    ({ workbench } = editor);
    traffic = new TrafficTab(editor.page);
    await workbench.runCommand('Model Access: Start Gateway');
    await workbench.waitForStatusBar('modelAccess.status', /\d{4,5}/);
    const baseURL = await copied('Copy Gateway Address', 'Address copied');
    const apiKey = await copied('Copy Local Key', 'Local key copied');
    await runSession({ baseURL: baseURL.replace(/\/v1$/, ''), apiKey });
    await traffic.openTree(workbench);
  });
  after(async () => {
    await workbench.stopGateway();
    await editor.changeSettings({ 'modelAccess.limits.chat': 0 });
  });

  const tree = () => traffic.frame.getByRole('treegrid', { name: 'Requests by session' });
  const rows = (name: RegExp) => tree().locator('.grid-body').getByRole('row', { name });

  async function copied(command: string, done: string): Promise<string> {
    await workbench.runCommand(`Model Access: ${command}`);
    await editor.page.locator('.part.statusbar').getByText(done).waitFor();
    return workbench.readClipboard();
  }

  async function runSession(access: { readonly baseURL: string; readonly apiKey: string }): Promise<void> {
    const client = new Anthropic({
      ...access,
      maxRetries: 0,
      defaultHeaders: { 'user-agent': `${CLIENT}/2.1.0`, 'x-claude-code-session-id': CLIENT_ID },
    });
    const messages: Anthropic.MessageParam[] = [];
    for (let turn = 1; turn <= TURNS; turn += 1) {
      messages.push({ role: 'user', content: `echo: ${CANARY}, question ${turn}` });
      for (let step = 0; step < 2; step += 1) {
        const answer = await client.messages.create(
          { model: MODEL, max_tokens: 300, messages },
          { headers: { 'x-claude-code-prompt-id': `prompt-${turn}` } },
        );
        messages.push({ role: 'assistant', content: answer.content });
        if (step === 0) messages.push({ role: 'user', content: `${CANARY}: go on` });
      }
    }
  }

  /** Sums computed by SQLite itself. */
  function sums(group: string) {
    const database = new DatabaseSync(join(editor.storage, 'ledger.sqlite'), { readOnly: true });
    try {
      return database
        .prepare(
          `SELECT count(*) AS requests, sum(output_tokens) AS output, sum(cost) / 1e9 AS cost,
             sum(input_tokens - coalesce(cached_input_tokens, 0) - coalesce(cache_write_tokens, 0)) AS uncached
           FROM exchanges WHERE session_id IS NOT NULL AND client = '${CLIENT}' GROUP BY ${group} ORDER BY min(at)`,
        )
        .all();
    } finally {
      database.close();
    }
  }

  /**
   * Exports with the dialogs.
   * @returns the contents of the file.
   */
  async function exported(form: string, name: string): Promise<string> {
    const path = join(editor.workspace, name);
    await rm(path, { force: true });
    const openDialog = async () => {
      await traffic.button('Export…').click();
      await workbench.quickInput.pick(form);
    };
    await workbench.quickInput.enterPath(openDialog, path);
    await workbench.notifications.waitFor('Saved as');
    await workbench.clearNotifications();
    return writtenText(path, '}\n');
  }

  it('is one row of the tree with its turns, with sums that match SQL', async () => {
    await eventually('all requests in the ledger', async () => sums('session_id')[0]?.requests === 2 * TURNS);
    const [session, ...others] = sums('session_id');
    assert.ok(session !== undefined && others.length === 0);
    const row = rows(new RegExp(CLIENT)).first();
    await row.filter({ hasText: `${TURNS} turns` }).waitFor();
    await expectFigures(row, session);
    await row.click();
    await rows(/4 earlier turns/).click();
    const turns = sums('turn_id');
    assert.equal(turns.length, TURNS);
    for (const [index, turn] of turns.entries()) {
      await expectFigures(rows(new RegExp(`^Turn ${index + 1} `)), turn);
    }
    await editor.screenshot('sessions tree');
  });

  async function expectFigures(row: ReturnType<typeof rows>, sql: Record<string, unknown>): Promise<void> {
    const text = async (column: string) => (await row.locator(`.cell.${column}`).textContent()) ?? '';
    await eventually('the cost of SQL', async () => (await text('cost')) === formatMoney(Number(sql.cost)));
    assert.equal(await text('output'), formatTokens(Number(sql.output)));
    assert.equal(await text('uncached'), formatTokens(Number(sql.uncached)));
  }

  it('has a page with its turns and is exported without message content', async () => {
    await tree().focus();
    await tree().press('Home');
    await tree().press('Enter');
    await traffic.frame.getByRole('heading', { name: new RegExp(CLIENT) }).waitFor();
    await traffic.frame.getByText(`${TURNS} turns`, { exact: true }).first().waitFor();
    await editor.screenshot('session page');
    const lines = (await exported('JSON Lines', 'session.jsonl'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(lines.length, 2 * TURNS);
    const [session] = sums('session_id');
    const cost = lines.reduce((sum, line) => sum + line.cost, 0);
    assert.equal(cost, Math.round(Number(session?.cost) * 1e9));
    const archive = JSON.parse(await exported('HTTP Archive', 'session.har'));
    assert.equal(archive.log.entries.length, 2 * TURNS);
    for (const text of [JSON.stringify(lines), JSON.stringify(archive)]) {
      assert.ok(!text.includes(CANARY) && !text.includes(CLIENT_ID));
    }
  });

  it('leaves no message content and no client session ID in profile files', async () => {
    assert.deepEqual(await editor.profileFilesWith(CANARY), []);
    assert.deepEqual(await editor.profileFilesWith(CLIENT_ID), []);
  });

  it('has a counterpart in the panel: a chat at its cap asks before sending', async () => {
    await workbench.closeAllEditors();
    const chat = await newChat(editor);
    await chat.askAndWait('hello');
    await editor.changeSettings({ 'modelAccess.limits.chat': 0.0001 });
    await chat.composer.fill('more');
    await chat.composer.press('Enter');
    const { dialog } = workbench.notifications;
    await dialog.getByText(/This chat has used \$0\.\d+ of its cap of \$0\.0001\./).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await eventually('the question in the message box', async () => (await chat.composer.inputValue()) === 'more');
    await eventuallyEqual(() => chat.answers.count(), 1);
    await chat.composer.press('Enter');
    await dialog.getByRole('button', { name: 'Raise by $0.0001' }).click();
    await chat.waitForAnswer(1);
  });
});
