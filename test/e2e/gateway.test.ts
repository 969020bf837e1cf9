import assert from 'node:assert/strict';
import OpenAI from 'openai';
import type { Editor } from '../support/editor/editor.ts';
import { sandboxEditor } from '../support/editor/sharedEditors.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { eventually } from '../support/eventually.ts';
import { listenOn, portOf } from '../support/ports.ts';

const STATUS = 'modelAccess.status';
const MODEL = 'familya-opus-4.6';

describe('the gateway', () => {
  let editor: Editor;
  let workbench: Workbench;

  before(async () => {
    editor = await sandboxEditor();
    ({ workbench } = editor);
  });
  afterEach(async () => {
    await workbench.clearNotifications();
    await workbench.stopGateway();
  });

  async function start(): Promise<void> {
    await workbench.runCommand('Model Access: Start Gateway');
    await workbench.waitForStatusBar(STATUS, /\d{4,5}/);
  }

  async function stop(): Promise<void> {
    await workbench.stopGateway();
  }

  /** Returns what a command copies for another tool. */
  async function copied(command: string, done: string): Promise<string> {
    await workbench.runCommand(`Model Access: ${command}`);
    await editor.page.locator('.part.statusbar').getByText(done).waitFor();
    return workbench.readClipboard();
  }

  async function copyAccess(): Promise<{ readonly baseURL: string; readonly apiKey: string }> {
    const baseURL = await copied('Copy Gateway Address', 'Address copied');
    const apiKey = await copied('Copy Local Key', 'Local key copied');
    return { baseURL, apiKey };
  }

  it('answers an official SDK that uses the copied address and key, and reduces the balance', async () => {
    await start();
    const access = await copyAccess();
    await editor.screenshot('gateway running');
    const port = new URL(access.baseURL).port;
    await workbench.waitForStatusBar(STATUS, port);
    const before = await workbench.statusBarItem(STATUS).innerText();

    const client = new OpenAI(access);
    const question = { role: 'user' as const, content: `What did you receive? ${'word '.repeat(8000)}` };
    const answer = await client.chat.completions.create({ model: MODEL, messages: [question] });
    assert.match(answer.choices[0]?.message.content ?? '', /received this through the \*\*chat-completions\*\* format/);

    const chunks: string[] = [];
    const content = 'echo: one two three';
    const stream = await client.chat.completions.create({
      model: MODEL,
      messages: [{ role: 'user', content }],
      stream: true,
    });
    for await (const chunk of stream) chunks.push(chunk.choices[0]?.delta.content ?? '');
    assert.equal(chunks.join(''), 'one two three');
    assert.ok(chunks.length > 3);

    await workbench.statusBarItem(STATUS).filter({ hasNotText: before }).waitFor();
    await stop();
  });

  it('reports an agent that repeats itself and ends its session', async () => {
    await start();
    const client = new OpenAI({ ...(await copyAccess()), maxRetries: 0 });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Fix it.' }];
    const ask = () => client.chat.completions.create({ model: MODEL, messages });
    for (let round = 1; round <= 3; round += 1) {
      await ask();
      const id = `call_${round}`;
      const call = { id, type: 'function' as const, function: { name: 'read', arguments: '{"path":"quote.ts"}' } };
      messages.push(
        { role: 'assistant', tool_calls: [call] },
        { role: 'tool', tool_call_id: id, content: 'No such file.' },
      );
    }
    await ask();
    const notice = /has made the same call with the same result 3 times in a row/;
    await workbench.notifications.waitFor(notice);
    await editor.screenshot('agent repeats itself');
    await workbench.notifications.choose(notice, 'End Session');
    await eventually('the refusal of the next request', () =>
      ask().then(
        () => false,
        (error: Error) => /402 This session was ended\./.test(error.message),
      ),
    );
  });

  it('frees its port when it is stopped', async () => {
    await start();
    const { baseURL } = await copyAccess();
    await stop();
    await assert.rejects(fetch(`${baseURL}/models`));
    const server = await listenOn(Number(new URL(baseURL).port));
    server.close();
  });

  it('reports that its port is in use and switches to another on request', async () => {
    const blocker = await listenOn(0);
    const port = portOf(blocker);
    try {
      await editor.changeSettings({ 'modelAccess.gateway.port': port });
      await workbench.runCommand('Model Access: Start Gateway');
      const message = `Port ${port} is in use`;
      await workbench.notifications.waitFor(message);
      await workbench.waitForStatusBar(STATUS, 'Failed');
      await editor.screenshot('gateway port in use');
      await workbench.notifications.choose(message, 'Use Another Port');
      await workbench.waitForStatusBar(STATUS, /\d{4,5}/);
    } finally {
      blocker.close();
      await editor.changeSettings({ 'modelAccess.gateway.port': 0 });
    }
  });
});
