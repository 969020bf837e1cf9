import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Services } from '../../src/editor/services.ts';
import { inSandbox } from './extension.ts';

const MODEL = 'familya-sonnet-4.6';
const TOOL: vscode.LanguageModelChatTool = {
  name: 'get_weather',
  description: 'Tells the weather',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

describe("the models in the editor's own chat", () => {
  let services: Services;

  before(async () => {
    services = await inSandbox();
    await services.models.refresh();
  });

  /** The editor reads the list a moment after it was told of a change. */
  async function model(id = MODEL): Promise<vscode.LanguageModelChat> {
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const [found] = await vscode.lm.selectChatModels({ vendor: 'model-access', id });
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return assert.fail(`The editor does not know ${id}.`);
  }

  async function ask(
    text: string | vscode.LanguageModelChatMessage[],
    options: vscode.LanguageModelChatRequestOptions = {},
  ): Promise<unknown[]> {
    const messages = typeof text === 'string' ? [vscode.LanguageModelChatMessage.User(text)] : text;
    const parts: unknown[] = [];
    for await (const part of (await (await model()).sendRequest(messages, options)).stream) parts.push(part);
    return parts;
  }

  const textOf = (parts: readonly unknown[]): string =>
    parts.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
  const callsOf = (parts: readonly unknown[]): vscode.LanguageModelToolCallPart[] =>
    parts.filter((part) => part instanceof vscode.LanguageModelToolCallPart);

  it('are those of the catalog, with the size of their context', async () => {
    await model();
    const models = await vscode.lm.selectChatModels({ vendor: 'model-access' });
    const ids = services.models.state.models.map(({ id }) => id);
    assert.deepEqual(models.map(({ id }) => id).sort(), ids.sort());
    assert.equal((await model()).maxInputTokens, 200_000 - 64_000);
  });

  it('answer with text', async () => {
    assert.match(textOf(await ask('echo: hello there')), /hello there/);
  });

  it('call tools, and read what these have found', async () => {
    const question = vscode.LanguageModelChatMessage.User('call get_weather city=Paris');
    const parts = await ask([question], { tools: [TOOL] });
    const [call] = callsOf(parts);
    assert.ok(call, textOf(parts));
    assert.deepEqual([call.name, call.input], ['get_weather', { city: 'Paris' }]);
    const result = new vscode.LanguageModelToolResultPart(call.callId, [new vscode.LanguageModelTextPart('Sunny, 21')]);
    const turns = [
      question,
      vscode.LanguageModelChatMessage.Assistant([call]),
      vscode.LanguageModelChatMessage.User([result]),
    ];
    const answer = await ask(turns, { tools: [TOOL] });
    assert.deepEqual(callsOf(answer), []);
    assert.match(textOf(answer), /Sunny, 21/);
  });

  it('are stopped when the editor no longer wants the answer', async () => {
    const source = new vscode.CancellationTokenSource();
    const question = vscode.LanguageModelChatMessage.User('write 2000 words');
    const answer = await (await model()).sendRequest([question], {}, source.token);
    let pieces = 0;
    try {
      for await (const _ of answer.text) {
        pieces += 1;
        source.cancel();
      }
    } catch (error) {
      assert.ok(error instanceof vscode.CancellationError || error instanceof Error);
    }
    assert.ok(pieces > 0 && pieces < 200, `${pieces} pieces`);
  });

  it('count tokens as the service does', async () => {
    const text = 'The quick brown fox jumps over the lazy dog.';
    const request = {
      model: MODEL,
      system: [],
      messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
    } as const;
    const { tokens, estimated } = await services.counter.count(request, AbortSignal.timeout(10_000));
    assert.equal(estimated, false);
    assert.equal(await (await model()).countTokens(text), tokens);
  });
});
