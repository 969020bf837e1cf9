import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AnswerParts } from '../../src/editor/nativeChat/answerParts.ts';
import { asChatRequest } from '../../src/editor/nativeChat/chatRequest.ts';
import { extraInformation } from '../../src/editor/nativeChat/nativeExtras.ts';
import type { Services } from '../../src/editor/services.ts';
import { eventually } from '../support/eventually.ts';
import { inSandbox } from './extension.ts';

const MODEL = 'familya-sonnet-4.6';
/** One pixel, because the editor itself decodes images. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const TOOL: vscode.LanguageModelChatTool = {
  name: 'get_weather',
  description: 'Tells the weather',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

describe("the models in the editor's built-in chat", () => {
  let services: Services;

  before(async () => {
    services = await inSandbox();
    await services.models.refresh();
  });

  /** Waits for the model, because the editor reads the list a moment after it is notified of a change. */
  async function model(id = MODEL): Promise<vscode.LanguageModelChat> {
    let found: vscode.LanguageModelChat | undefined;
    await eventually(`the model ${id}`, async () => {
      [found] = await vscode.lm.selectChatModels({ vendor: 'model-access', id });
      return found !== undefined;
    });
    assert.ok(found);
    return found;
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

  it('are those of the catalog with their context size', async () => {
    await model();
    const models = await vscode.lm.selectChatModels({ vendor: 'model-access' });
    const ids = services.models.state.models.map(({ id }) => id);
    assert.deepEqual(models.map(({ id }) => id).sort(), ids.sort());
    assert.equal((await model()).maxInputTokens, 200_000 - 64_000);
  });

  it('report their prices in the fields of the picker: cents per 1M tokens and a category', () => {
    const prices = { inputPrice: 3, outputPrice: 15, cachedInputPrice: 0.3, cacheWritePrice: 3.75 };
    assert.deepEqual(extraInformation({ id: 'priced', raw: {}, ...prices }), {
      isUserSelectable: true,
      inputCost: 300,
      outputCost: 1500,
      cacheCost: 30,
      cacheWriteCost: 375,
      pricing: '$3.00 in, $15.00 out per 1M tokens',
      priceCategory: 'medium',
    });
    const category = (inputPrice: number, outputPrice: number) =>
      (extraInformation({ id: 'one', raw: {}, inputPrice, outputPrice }) as { priceCategory: string }).priceCategory;
    assert.deepEqual([category(1, 5), category(5, 25), category(20, 80)], ['low', 'high', 'very_high']);
    assert.deepEqual(extraInformation({ id: 'unknown', raw: {} }), { isUserSelectable: true });
    const chosen = extraInformation({ id: 'unknown', raw: {} }, true);
    assert.deepEqual(chosen, { isUserSelectable: true, isDefault: true });
  });

  it('apply the editor’s prompt cache markers to the preceding part', () => {
    const mark = new vscode.LanguageModelDataPart(Buffer.from('ephemeral'), 'cache_control');
    const { User, Assistant } = vscode.LanguageModelChatMessageRole;
    const result = new vscode.LanguageModelToolResultPart('c1', [new vscode.LanguageModelTextPart('42')]);
    const text = (value: string) => new vscode.LanguageModelTextPart(value);
    const messages = [
      { role: User, content: [text('first'), mark, text('second')], name: undefined },
      { role: Assistant, content: [new vscode.LanguageModelToolCallPart('c1', 'get', {}), mark], name: undefined },
      { role: User, content: [result, mark, text('go on')], name: undefined },
    ];
    const asked = asChatRequest(MODEL, messages, { toolMode: vscode.LanguageModelChatToolMode.Auto } as never, 100);
    const hints = asked.messages.map(({ parts }) => parts.map((part) => 'cacheHint' in part));
    assert.deepEqual(hints, [[true, false], [true], [true], [false]]);
    assert.equal(asked.messages.flatMap(({ parts }): readonly unknown[] => parts).length, 5);
  });

  it('answer with text', async () => {
    assert.match(textOf(await ask('echo: hello there')), /hello there/);
  });

  it('call tools and receive their results', async () => {
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

  it('receive images from a question and from tool results', async () => {
    const picture = vscode.LanguageModelDataPart.image(Buffer.from(PICTURE, 'base64'), 'image/png');
    const image = { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: PICTURE } };
    const result = new vscode.LanguageModelToolResultPart('call-1', [picture]);
    const said = { role: vscode.LanguageModelChatMessageRole.User, content: [picture, result], name: undefined };
    const options = {
      toolMode: vscode.LanguageModelChatToolMode.Auto,
    } as vscode.ProvideLanguageModelChatResponseOptions;
    assert.deepEqual(asChatRequest(MODEL, [said], options, 100).messages, [
      { role: 'tool', parts: [{ type: 'toolResult', toolCallId: 'call-1', content: [image] }] },
      { role: 'user', parts: [image] },
    ]);
    const question = [new vscode.LanguageModelTextPart('echo: seen'), picture];
    assert.match(textOf(await ask([vscode.LanguageModelChatMessage.User(question)])), /seen/);
  });

  it('report the usage of an answer to the editor’s meter', () => {
    const parts: vscode.LanguageModelResponsePart[] = [];
    const answer = new AnswerParts(MODEL, { report: (part) => void parts.push(part) });
    answer.push({ type: 'textDelta', index: 0, text: 'Hello' });
    answer.push({ type: 'usage', usage: { inputTokens: 30, cachedInputTokens: 20, outputTokens: 12 } });
    answer.end();
    const part = parts.at(-1);
    assert.ok(part instanceof vscode.LanguageModelDataPart);
    assert.equal(part.mimeType, 'usage');
    assert.deepEqual(JSON.parse(Buffer.from(part.data).toString()), {
      prompt_tokens: 30,
      completion_tokens: 12,
      total_tokens: 42,
      prompt_tokens_details: { cached_tokens: 20 },
    });
  });

  it('stop when the editor cancels the request', async () => {
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

  describe('if the host supports reasoning', () => {
    const options = (more: object): vscode.ProvideLanguageModelChatResponseOptions =>
      ({ toolMode: vscode.LanguageModelChatToolMode.Auto, ...more }) as vscode.ProvideLanguageModelChatResponseOptions;

    before(function () {
      if (!('LanguageModelThinkingPart' in vscode)) this.skip();
    });

    it('offer a reasoning effort for models that support it, and omit the temperature with it', () => {
      assert.equal('configurationSchema' in extraInformation({ id: 'plain', raw: {} }), false);
      assert.equal('configurationSchema' in extraInformation({ id: 'clever', reasoning: true, raw: {} }), true);
      const asked = (effort: string) =>
        asChatRequest(
          MODEL,
          [],
          options({ modelOptions: { temperature: 0 }, modelConfiguration: { reasoningEffort: effort } }),
          100,
        );
      assert.deepEqual([asked('high').reasoning, asked('high').temperature], [{ effort: 'high' }, undefined]);
      assert.deepEqual([asked('none').reasoning, asked('none').temperature], [{ effort: 'none' }, 0]);
      assert.deepEqual([asked('usual').reasoning, asked('usual').temperature], [undefined, 0]);
    });

    it('return reasoning with its signature and send both back, but not to another model', () => {
      const parts: vscode.LanguageModelResponsePart[] = [];
      const answer = new AnswerParts(MODEL, { report: (part) => void parts.push(part) });
      answer.push({ type: 'reasoningDelta', index: 0, text: 'The lamp ' });
      answer.push({ type: 'reasoningDelta', index: 0, text: 'is green.' });
      answer.push({ type: 'reasoningSeal', index: 0, signature: 'proof' });
      answer.push({ type: 'toolCallStart', index: 1, id: 'call-1', name: 'get_weather' });
      answer.end();
      const said = { role: vscode.LanguageModelChatMessageRole.Assistant, content: parts, name: undefined };
      assert.deepEqual(asChatRequest(MODEL, [said], options({}), 100).messages, [
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: 'The lamp is green.', signature: 'proof' },
            { type: 'toolCall', id: 'call-1', name: 'get_weather', arguments: '{}' },
          ],
        },
      ]);
      const call = { type: 'toolCall', id: 'call-1', name: 'get_weather', arguments: '{}' };
      assert.deepEqual(asChatRequest('familyb-5.2', [said], options({}), 100).messages, [
        { role: 'assistant', parts: [call] },
      ]);
    });
  });

  it('count tokens like the service', async () => {
    const text = 'The quick brown fox jumps over the lazy dog.';
    const request = {
      model: MODEL,
      system: [],
      messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
    } as const;
    const { tokens, estimated } = await services.counter.count(request, new AbortController().signal);
    assert.equal(estimated, false);
    assert.equal(await (await model()).countTokens(text), tokens);
  });

  it('gets a utility model by a command that writes the settings of the editor', async () => {
    const chat = () => vscode.workspace.getConfiguration('chat');
    const choosing = vscode.commands.executeCommand('modelAccess.chooseUtilityModel');
    await eventually('the setting', async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return chat().inspect('byokUtilityModelDefault')?.globalValue === 'mainAgent';
    });
    await choosing;
    assert.equal(chat().inspect('utilityModel')?.globalValue, undefined);
    await chat().update('byokUtilityModelDefault', undefined, vscode.ConfigurationTarget.Global);
  });
});
