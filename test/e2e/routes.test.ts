import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import OpenAI from 'openai';
import { ROOT } from '../../scripts/lib/paths.ts';
import type { Editor } from '../support/editor/editor.ts';
import { tabFrame } from '../support/editor/pageFrames.ts';
import { freshSandboxEditor, newChat } from '../support/editor/sharedEditors.ts';
import { SideView } from '../support/editor/sideView.ts';
import { TrafficTab } from '../support/editor/trafficTab.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { ModelServer } from '../support/modelServer/modelServer.ts';

const MODEL = 'familya-haiku-4.5';

describe('routes', () => {
  let editor: Editor;
  let workbench: Workbench;
  const servers: ModelServer[] = [];

  before(async () => {
    editor = await freshSandboxEditor();
    ({ workbench } = editor);
  });
  after(async () => {
    await editor.changeSettings({
      'modelAccess.routes': {},
      'modelAccess.upstreams': [],
      'modelAccess.traffic.captureBodies': false,
    });
    await workbench.stopGateway();
    await Promise.all(servers.map((server) => server.close()));
    await workbench.clearNotifications();
  });

  /** Returns what a command copies for another tool. */
  async function copied(command: string, done: string): Promise<string> {
    await workbench.runCommand(`Model Access: ${command}`);
    await editor.page.locator('.part.statusbar').getByText(done).waitFor();
    return workbench.readClipboard();
  }

  /** Starts the gateway, and returns a client for it. */
  async function connect(): Promise<OpenAI> {
    await workbench.runCommand('Model Access: Start Gateway');
    await workbench.waitForStatusBar('modelAccess.status', /\d{4,5}/);
    const baseURL = await copied('Copy Gateway Address', 'Address copied');
    const apiKey = await copied('Copy Local Key', 'Local key copied');
    return new OpenAI({ baseURL, apiKey, maxRetries: 0 });
  }

  it('are created on their page, tested without sending, and used by tools', async () => {
    await workbench.runCommand('Model Access: Manage Routes…');
    const page = tabFrame(editor.page);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const field = (name: string) => page.getByLabel(name, { exact: true });
    await page.getByText('No routes. Tools get the model that they request.').waitFor();
    await button('New Route').click();
    await field('Name').fill('coding');
    await page.locator('[id="use.0"]').fill('familya-sonnet-4.6');
    await button('Add Rule').click();
    await field('More input tokens than').fill('many');
    await page.locator('[id="when.0.use.0"]').fill(MODEL);
    await page.getByText('Enter a whole number of tokens, such as 180000.').waitFor();
    await button('Save').click();
    await page.getByText('1 mistake').waitFor();
    await field('More input tokens than').fill('1,000');
    await page.getByText(`If it has more than 1,000 tokens, use ${MODEL}`).waitFor();
    await page.locator('.answer').getByText('sandbox/familya-sonnet-4.6').waitFor();
    await field('Input tokens').fill('2000');
    await page.locator('.answer').getByText(`sandbox/${MODEL}`).waitFor();
    await page.getByText('Route “coding”, rule 1: it has more than 1,000 tokens.').waitFor();
    await editor.screenshot('a request on a route');
    await button('Save').click();
    await page.getByText('All changes are saved.').waitFor();
    await button('Edit in settings.json').click();
    const file = editor.page.getByRole('tab', { name: 'settings.json' });
    await file.waitFor();
    await editor.page.locator('.monaco-editor .view-line').getByText('"modelAccess.routes"').waitFor();
    await workbench.runCommand('View: Close All Editors');

    const client = await connect();
    const modelFor = async (content: string) => {
      const messages = [{ role: 'user' as const, content }];
      return (await client.chat.completions.create({ model: 'coding', max_tokens: 50, messages })).model;
    };
    await eventually('the route to be in use', async () => {
      const models = await client.models.list();
      return models.data.some(({ id }) => id === 'coding');
    });
    assert.equal(await modelFor('echo: hello'), 'familya-sonnet-4.6');
    assert.equal(await modelFor(`echo: ${'long words '.repeat(1000)}`), MODEL);
  });

  it('are chosen in the chat like models, without a gateway, and answers say who has answered', async () => {
    const down = { status: 503, body: { error: { message: 'Down.', type: 'server_error', code: null } } };
    const first = await ModelServer.start(({ format }) => (format === undefined ? undefined : down));
    servers.push(first);
    await workbench.stopGateway();
    const chat = await newChat(editor);
    const automatic = chat.frame.getByRole('button', { name: 'Choose the model automatically…' });
    await editor.changeSettings({
      'modelAccess.upstreams': [{ id: 'first', baseUrl: first.baseUrl, formats: ['messages'], models: ['m'] }],
      'modelAccess.routes': { steady: { use: ['first/m', MODEL] } },
    });
    await chat.chooseModel('steady');
    await chat.modelPicker.click();
    await chat.frame.getByText(`Asks one of first/m, ${MODEL}. The price is that of the most expensive one.`).waitFor();
    await editor.screenshot('a route in the model picker');
    await eventuallyEqual(() => automatic.count(), 0);
    await chat.composer.click();
    const answer = await chat.askAndWait('echo: over the route');
    await answer.getByText(`answered by ${MODEL}`).waitFor();
    const paid = await answer.locator('.figure.sample').innerText();
    await editor.screenshot('an answer of a route');
    await workbench.waitForGatewayOff();

    await workbench.runCommand('Model Access: Open Traffic');
    const traffic = new TrafficTab(editor.page);
    const row = traffic.rows.filter({ hasText: 'steady' });
    // There is exactly one.
    await row.click();
    await traffic.detail.getByRole('listitem', { name: /^Attempt 1, first\/m, 503 overloaded/ }).waitFor();
    await traffic.detail.getByText(paid).first().waitFor();
    await editor.screenshot('a question for a route in Traffic');
    await editor.workbench.closeAllEditors();
    await newChat(editor);
    await chat.chooseModel('steady');
    await chat.chooseAgent();
    await chat.frame.getByRole('button', { name: /^Fix a bug in quote\.ts/ }).click();
    await chat.approval.getByRole('button', { name: 'Run Once' }).click();
    await chat.frame.getByText('This task was prepared').waitFor();
    await editor.screenshot('the agent with a route');
    for (const path of ['src/quote.ts', 'test/quote.test.ts'])
      await copyFile(join(ROOT, 'test', 'fixtures', 'workspace', path), join(editor.workspace, path));
    await editor.changeSettings({ 'modelAccess.routes': {} });
    await newChat(editor);
    await chat.chooseModel(MODEL);
    await chat.modelPicker.click();
    await automatic.click();
    await tabFrame(editor.page).getByText('Cheaper for short requests').waitFor();
    await editor.screenshot('ready-made routes from the chat');
  });

  it('moved by failover are shown once in the gateway view until their first model answers again', async () => {
    const down = { status: 503, body: { error: { message: 'Down.', type: 'server_error', code: null } } };
    const said = { parts: [{ text: 'Hello' }] };
    let isDown = true;
    const first = await ModelServer.start(({ format }) => (format === undefined ? undefined : isDown ? down : said));
    const second = await ModelServer.start(({ format }) => (format === undefined ? undefined : said));
    servers.push(first, second);
    const upstream = (id: string, { baseUrl }: ModelServer) => ({ id, baseUrl, formats: ['messages'], models: ['m'] });
    await editor.changeSettings({
      'modelAccess.upstreams': [upstream('first', first), upstream('second', second)],
      'modelAccess.routes': { moving: { use: ['first/m', 'second/m'] } },
    });
    const view = new SideView(editor.page, workbench, 'Gateway');
    await view.show();
    const client = await connect();
    const ask = (content: string) =>
      client.chat.completions.create({ model: 'moving', max_tokens: 50, messages: [{ role: 'user', content }] });
    await eventually('the route to be in use', async () => {
      const { data } = await client.models.list();
      return data.some(({ id }) => id === 'moving');
    });
    const moved = view.rows.filter({ hasText: 'moving moved to second/m' });
    await ask('one');
    await moved.getByText('instead of first/m').waitFor();
    await editor.screenshot('a moved route');
    await ask('two');
    await eventuallyEqual(() => moved.count(), 1);
    await moved.click();
    const { detail } = new TrafficTab(editor.page);
    await detail.getByRole('listitem', { name: /^Attempt 1, first\/m, 503 overloaded.*nothing charged$/ }).waitFor();
    isDown = false;
    await view.show();
    await ask('three');
    await moved.waitFor({ state: 'detached' });
  });

  it('show on their page why the gateway avoids a target, and are tried with a request of Traffic', async () => {
    const gone = { status: 404, body: { error: { message: 'No such model.', type: 'not_found_error', code: null } } };
    const said = { parts: [{ text: 'Hello' }] };
    const without = await ModelServer.start(({ format }) => (format === undefined ? undefined : gone));
    const other = await ModelServer.start(({ format }) => (format === undefined ? undefined : said));
    servers.push(without, other);
    const upstream = (id: string, { baseUrl }: ModelServer) => ({ id, baseUrl, formats: ['messages'], models: ['m'] });
    await editor.changeSettings({
      'modelAccess.traffic.captureBodies': true,
      'modelAccess.upstreams': [upstream('without', without), upstream('other', other)],
      'modelAccess.routes': {
        changing: { use: ['without/m', 'other/m'], when: [{ tool: 'shell', use: ['other/m'] }] },
      },
    });
    const client = await connect();
    await eventually('the route to be in use', async () => {
      const { data } = await client.models.list();
      return data.some(({ id }) => id === 'changing');
    });
    await workbench.runCommand('Model Access: Manage Routes…');
    const page = tabFrame(editor.page);
    const target = page.locator('.target').first();
    await target.waitFor();
    await eventuallyEqual(() => page.locator('.health').count(), 0);
    const messages = [{ role: 'user' as const, content: 'Hello' }];
    await client.chat.completions.create({ model: 'changing', max_tokens: 50, messages });
    await target.getByText(/^Paused until \d\d:\d\d:\d\d: the model was not found\.$/).waitFor();
    await editor.screenshot('a paused target of a route');

    const tools = [{ type: 'function' as const, function: { name: 'shell', parameters: { type: 'object' } } }];
    await client.chat.completions.create({ model: 'changing', max_tokens: 50, messages, tools });
    // The list has the requests that were entered when it opens.
    await eventually('both requests in the list', async () => {
      await page.getByRole('button', { name: 'From Traffic…' }).click();
      await workbench.quickInput.title.filter({ hasText: 'Try which request?' }).waitFor();
      if ((await workbench.quickInput.rows.filter({ hasText: 'changing' }).count()) === 2) return true;
      await workbench.quickInput.cancel();
      return false;
    });
    await editor.screenshot('requests to try on a route');
    await workbench.quickInput.row('changing').first().click();
    await page.getByText('Route “changing”, rule 1: the request offers the tool shell.').waitFor();
    await eventuallyEqual(() => page.getByLabel('Tools', { exact: true }).inputValue(), 'shell');
    await editor.screenshot('a request of Traffic tried on a route');
  });

  it('keep the previous configuration and report the problem if the new one is invalid', async () => {
    await editor.changeSettings({ 'modelAccess.routes': { coding: { use: ['coding'] } } });
    await workbench.notifications.waitFor('modelAccess.routes.coding.use.0');
    await editor.screenshot('a mistake in routes');
  });
});
