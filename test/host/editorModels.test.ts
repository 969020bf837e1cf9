import assert from 'node:assert/strict';
import OpenAI from 'openai';
import * as vscode from 'vscode';
import { otherModelsRow, readOtherModels } from '../../src/editor/modelsView/otherModels.ts';
import type { Services } from '../../src/editor/services.ts';
import { eventually } from '../support/eventually.ts';
import { firstKey, inSandbox } from './extension.ts';

const MODEL = 'editor/acme/parrot-1';
/** One red pixel, because the editor decodes images before it passes them on. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

describe('models of other extensions at the gateway', () => {
  let services: Services;
  let address: string;
  let secret: string;

  before(async function () {
    if (vscode.extensions.getExtension('acme.acme-models') === undefined) this.skip();
    services = await inSandbox();
    await set(true);
    ({ address } = await services.gateway.start(0));
    ({ secret } = await firstKey(services));
    await listed(MODEL);
  });
  after(async () => {
    await services?.gateway.stop();
    await set(undefined);
  });

  const set = async (value: boolean | undefined) => {
    const target = vscode.ConfigurationTarget.Global;
    await vscode.workspace.getConfiguration('modelAccess').update('gateway.editorModels', value, target);
  };
  const headers = () => ({ authorization: `Bearer ${secret}`, 'content-type': 'application/json' });
  const names = async (): Promise<string[]> => {
    const { data } = (await (await fetch(`${address}/models`, { headers: headers() })).json()) as {
      data: { id: string }[];
    };
    return data.map(({ id }) => id);
  };
  /** Another extension is activated when its models are first requested. */
  const listed = async (id: string): Promise<void> => {
    await eventually(`the model ${id}`, async () => (await names()).includes(id));
  };
  const post = (path: string, body: object, signal?: AbortSignal) =>
    fetch(`${address}${path}`, {
      method: 'POST',
      headers: headers(),
      body: JSON.stringify(body),
      ...(signal !== undefined && { signal }),
    });
  const asked = (content: unknown) => ({ model: MODEL, max_tokens: 50, messages: [{ role: 'user', content }] });

  it('are listed with the service’s models, excluding this extension’s own models', async () => {
    const all = await names();
    assert.ok(all.includes('familya-sonnet-4.6'));
    assert.deepEqual(
      all.filter((name) => name.startsWith('editor/model-access/')),
      [],
    );
  });

  it('appear in the models view under their gateway names, marked if not allowed yet', async () => {
    const access = (isAllowed: boolean | undefined) => ({
      canSendRequest: () => isAllowed,
      onDidChange: new vscode.EventEmitter<void>().event,
    });
    for (const [isAllowed, icon, kind, description] of [
      [true, 'extensions', 'editorModel', 'acme · 1k'],
      [undefined, 'lock', 'closedEditorModel', 'not allowed yet · acme · 1k'],
    ] as const) {
      const models = await readOtherModels(access(isAllowed));
      assert.ok(models.every(({ vendor }) => vendor !== 'model-access'));
      const row = otherModelsRow(models).children?.find(({ subject }) => subject === MODEL);
      assert.ok(row?.icon);
      assert.deepEqual([row.label, row.description, row.icon.id, row.kind], ['Parrot', description, icon, kind]);
    }
  });

  it('answer in all three formats', async () => {
    for (const [path, body] of [
      ['/chat/completions', asked('Hello')],
      ['/messages', asked('Hello')],
      ['/responses', { model: MODEL, input: 'Hello' }],
    ] as const) {
      const answer = await post(path, body);
      assert.match(await answer.text(), /Heard: Hello/, path);
    }
  });

  it('work with an official SDK from a tool call to the final answer', async () => {
    const client = new OpenAI({ baseURL: address, apiKey: secret, maxRetries: 0 });
    const tools: OpenAI.ChatCompletionTool[] = [
      { type: 'function', function: { name: 'read', parameters: { type: 'object' } } },
    ];
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Read it' }];
    const first = await client.chat.completions.create({ model: MODEL, messages, tools });
    const [choice] = first.choices;
    assert.equal(choice?.finish_reason, 'tool_calls');
    const [call] = choice.message.tool_calls ?? [];
    assert.ok(call?.type === 'function');
    assert.deepEqual(JSON.parse(call.function.arguments), { path: 'a.ts' });
    const result = { role: 'tool', tool_call_id: call.id, content: 'all of it' } as const;
    const stream = await client.chat.completions.create({
      model: MODEL,
      messages: [...messages, choice.message, result],
      tools,
      stream: true,
    });
    let text = '';
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    assert.match(text, /call of read result all of it/);
  });

  it('receive images', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } };
    assert.match(await (await post('/messages', asked([image]))).text(), /image\/png of \d+ bytes/);
  });

  it('count tokens', async () => {
    const answer = await post('/messages/count_tokens', asked('Hello'));
    assert.deepEqual(await answer.json(), { input_tokens: 10 });
  });

  it('stop when the client disconnects', async () => {
    const left = new AbortController();
    const answer = await post('/messages', { ...asked('wait'), stream: true }, left.signal);
    await answer.body?.getReader().read();
    left.abort();
    const isStopped = () => Object.entries(globalThis).some(([name, value]) => name === 'parrotWasCancelled' && value);
    await eventually('the end of the request', async () => isStopped());
  });

  it('report errors in the caller’s format', async () => {
    const failed = await post('/messages', asked('fail'));
    assert.equal(failed.status, 502);
    assert.match(await failed.text(), /"type":"error"[\s\S]*The parrot is tired/);
    const missing = await post('/chat/completions', { ...asked('Hello'), model: 'editor/acme/owl' });
    assert.equal(missing.status, 404);
    assert.match(await missing.text(), /model_not_found/);
  });
});
