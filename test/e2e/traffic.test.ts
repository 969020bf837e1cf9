import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { Editor } from '../support/editor/editor.ts';
import { writtenText } from '../support/editor/files.ts';
import { chooseFromMenu } from '../support/editor/menu.ts';
import { freshSandboxEditor } from '../support/editor/sharedEditors.ts';
import { TrafficTab } from '../support/editor/trafficTab.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { harSchema } from '../support/harSchema.ts';

const STATUS = 'modelAccess.status';
const MODEL = 'familya-opus-4.6';
/** Model of the request that is captured and sent again. */
const ASKED = 'familya-sonnet-4.6';
const OTHER_MODEL = 'familya-haiku-4.5';
const CANARY = 'canary of the traffic test';

describe('the traffic view', () => {
  let editor: Editor;
  let workbench: Workbench;
  let traffic: TrafficTab;
  let access: { readonly baseURL: string; readonly apiKey: string };

  before(async () => {
    editor = await freshSandboxEditor();
    ({ workbench } = editor);
    await workbench.closeAllEditors();
    await workbench.runCommand('Model Access: Start Gateway');
    await workbench.waitForStatusBar(STATUS, /\d{4,5}/);
    access = {
      baseURL: await copied('Copy Gateway Address', 'Address copied'),
      apiKey: await copied('Copy Local Key', 'Local key copied'),
    };
    // Without the side bars, there is space for the list and the details next to each other.
    for (const bar of ['Sidebar', 'AuxiliaryBar']) await workbench.driver.run(`workbench.action.close${bar}`);
    await workbench.runCommand('Model Access: Open Traffic');
    traffic = new TrafficTab(editor.page);
    await traffic.filter.waitFor();
    await traffic.button('Show only new requests').click();
    await traffic.frame.getByText('No requests match.').waitFor();
  });
  // Closes tabs that a failed test has left open.
  beforeEach(async () => {
    if (await traffic.filter.isVisible()) return;
    await workbench.runCommand('Model Access: Open Traffic');
    await traffic.filter.waitFor();
  });
  after(async () => {
    await editor.changeSettings({ 'modelAccess.traffic.captureBodies': false });
    await workbench.closeAllEditors();
    await workbench.stopGateway();
    await workbench.driver.run('workbench.view.explorer');
    await workbench.clearNotifications();
  });

  async function copied(command: string, done: string): Promise<string> {
    await workbench.runCommand(`Model Access: ${command}`);
    await editor.page.locator('.part.statusbar').getByText(done).waitFor();
    return workbench.readClipboard();
  }

  /** Returns the file that an action of the open request has written. */
  async function saved(action: string, name: string): Promise<string> {
    const path = join(editor.workspace, name);
    await rm(path, { force: true });
    await workbench.quickInput.enterPath(() => traffic.button(action).click(), path);
    await workbench.notifications.waitFor('Saved as');
    await workbench.clearNotifications();
    return writtenText(path, '}\n');
  }

  const asked = () => traffic.row(ASKED).filter({ hasNotText: 'model-access-resend' }).first();
  const openAi = () => new OpenAI({ ...access, maxRetries: 0 });
  const ask = (content: string, model = MODEL) =>
    openAi().chat.completions.create({ model, messages: [{ role: 'user', content }] });

  it('lists the requests of an official SDK and stores no bodies while capturing is off', async () => {
    await ask(`${CANARY} one`);
    const row = traffic.row(MODEL).first();
    await row.filter({ hasText: '$0.' }).waitFor();
    await row.click();
    await traffic.detail.getByRole('heading', { name: MODEL }).waitFor();
    await traffic.detail.getByText('First byte').waitFor();
    await editor.screenshot('traffic detail');
    await traffic.tab('Request').click();
    await traffic.detail.getByText('user-agent').waitFor();
    await traffic.detail.getByText('Bodies are not captured.').waitFor();
    const text = await traffic.frame.locator('body').innerText();
    assert.ok(!text.includes(access.apiKey) && !text.includes(CANARY), text);
    assert.deepEqual(await editor.profileFilesWith(CANARY), []);
  });

  it('shows the request, the answer, and the stream events once bodies are captured', async () => {
    await traffic.button('Capture bodies').first().click();
    await traffic.button('Stop capturing bodies and delete them').waitFor();
    const anthropic = new Anthropic({
      baseURL: access.baseURL.replace(/\/v1$/, ''),
      apiKey: access.apiKey,
      maxRetries: 0,
    });
    const stream = anthropic.messages.stream({
      model: ASKED,
      max_tokens: 200,
      messages: [{ role: 'user', content: `echo: ${CANARY} two, my key is ${access.apiKey}` }],
    });
    await stream.finalText();
    await traffic.row(ASKED).filter({ hasText: '$0.' }).click();
    await traffic.tab('Overview').click();
    await traffic.detail.getByText('Answer starts').waitFor();
    await traffic.tab('Request').click();
    await traffic.detail
      .getByRole('button', { name: /^\[ … \d+ \]$|^\{ … \d+ \}$/ })
      .first()
      .click();
    await traffic.detail.getByText(`${CANARY} two, my key is key_••••`).waitFor();
    await editor.screenshot('traffic request');
    await traffic.tab(/^Events/).click();
    await traffic.detail.getByRole('option').filter({ hasText: 'message_start' }).waitFor();
    await editor.screenshot('traffic events');
    const text = await traffic.frame.locator('body').innerText();
    assert.ok(!text.includes(access.apiKey), 'the local key is shown');
    assert.deepEqual(await editor.profileFilesWith(CANARY), []);
  });

  it('copies a captured request as a program', async () => {
    await traffic.button('Copy as…').click();
    const pick = editor.page.locator('.quick-input-widget');
    await pick.getByText('curl', { exact: true }).last().click();
    await workbench.notifications.waitFor(/copied/i);
    const program = await workbench.readClipboard();
    assert.match(program, /curl .*\/messages/s);
    assert.ok(program.includes(CANARY) && !program.includes(access.apiKey));
  });

  for (const { way, choices, model, format } of [
    { way: 'in another format', choices: ['In chat-completions format'], model: ASKED, format: 'chat-completions' },
    { way: 'to another model', choices: ['To another model…', OTHER_MODEL], model: OTHER_MODEL, format: 'messages' },
  ]) {
    it(`resends a captured request ${way} and compares both in the editor`, async () => {
      await asked().click();
      await traffic.button('Send again…').click();
      for (const choice of choices) await workbench.quickInput.pickByName(choice);
      const again = traffic.row('model-access-resend').filter({ hasText: model }).first();
      await again.filter({ hasText: '$0.' }).waitFor();
      await traffic.button('Compare with another…').click();
      await traffic.frame.getByText(`Open the request to compare ${ASKED}`).waitFor();
      await again.click();
      await editor.page.getByRole('tab', { name: new RegExp(`^${ASKED} .* and ${model} `) }).waitFor();
      const other = editor.page.locator('.editor.modified');
      await other.getByText(`"${format}"`).first().waitFor();
      await other.getByText(`"${model}"`).first().waitFor();
      await editor.screenshot(`traffic comparison ${way}`);
      await workbench.runCommand('View: Close Editor');
      await traffic.filter.waitFor();
    });
  }

  it('saves a request as a valid HAR file and as a test fixture', async () => {
    await asked().click();
    const archive = await saved('Save as HAR file…', 'exchange.har');
    const { log } = harSchema.parse(JSON.parse(archive));
    const [entry] = log.entries;
    assert.match(entry?.request.postData?.text ?? '', new RegExp(CANARY));
    assert.match(entry?.response.content.text ?? '', /message_start/);
    const fixture = await saved('Save as test fixture…', 'exchange.json');
    const { request, answer } = JSON.parse(fixture) as { request: { model: string }; answer: { events: unknown[] } };
    assert.equal(request.model, ASKED);
    assert.ok(answer.events.length > 3);
    for (const text of [archive, fixture]) assert.ok(!text.includes(access.apiKey), 'a key is in the file');
  });

  it('follows a running stream and cancels it', async () => {
    const stream = await openAi().chat.completions.create({
      model: `${MODEL}+stall`,
      stream: true,
      messages: [{ role: 'user', content: 'Wait' }],
    });
    const read = (async () => {
      for await (const _ of stream);
    })();
    const failed = assert.rejects(read, /canceled in the editor/);
    const row = traffic.row(`${MODEL}+stall`);
    await row.filter({ has: traffic.result('Running') }).click();
    await traffic.tab('Overview').click();
    await traffic.detail.getByText('Sent to sandbox').waitFor();
    await editor.screenshot('traffic running');
    await traffic.button('Cancel').click();
    await failed;
    await row.filter({ has: traffic.result('Stopped') }).waitFor();
  });

  it('filters by search terms', async () => {
    await traffic.filter.fill('model:sonnet');
    await traffic.row(`${MODEL}+stall`).waitFor({ state: 'detached' });
    await eventuallyEqual(() => traffic.rows.filter({ hasNotText: 'sonnet' }).count(), 0);
    await traffic.filter.fill('');
    await traffic.row(`${MODEL}+stall`).waitFor();
  });

  it('deletes captured bodies on request', async () => {
    await asked().click();
    await traffic.tab('Request').click();
    await traffic.detail.getByText(/^Body · /).waitFor();
    await editor.page
      .locator('.part.editor')
      .getByRole('button', { name: /^More Actions/ })
      .first()
      .click();
    await chooseFromMenu(editor.page, 'Delete Captured Bodies');
    await traffic.detail.getByText('was not captured or is no longer kept').waitFor();
  });
});
