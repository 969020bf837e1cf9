import assert from 'node:assert/strict';
import type { ChatResponse } from '../../../../../src/formats/answer.ts';
import type { ChatRequest, Message, Tool, ToolCallPart } from '../../../../../src/formats/conversation.ts';
import { answerOf, formatNames, quickSandbox, textOf } from './ask.ts';

const weather: Tool = {
  name: 'get_weather',
  description: 'The weather in a city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' }, unit: { type: 'string', enum: ['metric', 'imperial'] } },
    required: ['city', 'unit'],
  },
};
const time: Tool = { name: 'get_time', parameters: { type: 'object', properties: {} } };
const read: Tool = { name: 'Read', parameters: { type: 'object', properties: { path: { type: 'string' } } } };
const tools = [weather, time, read];

function callsOf({ parts }: ChatResponse): readonly ToolCallPart[] {
  return parts.filter((part) => part.type === 'toolCall');
}

async function namesCalled(text: string, request: Partial<ChatRequest> = {}): Promise<readonly string[]> {
  return callsOf(await answerOf(quickSandbox(), { text, request: { tools, ...request } })).map(({ name }) => name);
}

describe('The sandbox calls a tool', () => {
  for (const format of formatNames) {
    for (const stream of [false, true]) {
      it(`that the question names, with arguments that match its schema: ${format}, ${stream ? 'streamed' : 'whole'}`, async () => {
        const answer = await answerOf(quickSandbox(), {
          format,
          text: 'Please use get_weather for "Oslo"',
          request: { tools, stream },
        });
        const [call, ...others] = callsOf(answer);
        assert.equal(others.length, 0);
        assert.equal(call?.name, 'get_weather');
        assert.deepEqual(JSON.parse(call?.arguments ?? ''), { city: 'Oslo', unit: 'metric' });
        assert.equal(answer.finishReason, 'toolCalls');
      });

      it(`and another one in parallel if the question names two: ${format}, ${stream ? 'streamed' : 'whole'}`, async () => {
        const text = 'use get_time and get_weather city=Bergen unit=imperial';
        const calls = callsOf(await answerOf(quickSandbox(), { format, text, request: { tools, stream } }));
        assert.deepEqual(
          calls.map(({ name, arguments: args }) => [name, JSON.parse(args)]),
          [
            ['get_time', {}],
            ['get_weather', { city: 'Bergen', unit: 'imperial' }],
          ],
        );
        assert.equal(new Set(calls.map(({ id }) => id)).size, 2);
      });
    }

    it(`and then answers in words about its result: ${format}`, async () => {
      const sandbox = quickSandbox();
      const first = await answerOf(sandbox, { format, text: 'use get_weather', request: { tools } });
      const messages: Message[] = [
        { role: 'user', parts: [{ type: 'text', text: 'use get_weather' }] },
        { role: 'assistant', parts: first.parts },
        {
          role: 'tool',
          parts: callsOf(first).map(({ id }) => ({
            type: 'toolResult',
            toolCallId: id,
            content: [{ type: 'text', text: 'Rain, 4 degrees' }],
          })),
        },
      ];
      const second = await answerOf(sandbox, { format, request: { tools, messages } });
      assert.match(textOf(second), /\*\*get_weather\*\* answered[\s\S]*> Rain, 4 degrees/);
      assert.equal(second.finishReason, 'stop');
    });
  }

  it('one after the other if the question says "then"', async () => {
    const sandbox = quickSandbox();
    const messages: Message[] = [{ role: 'user', parts: [{ type: 'text', text: 'use get_time, then get_weather' }] }];
    const names: string[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const answer = await answerOf(sandbox, { request: { tools, messages: [...messages] } });
      const calls = callsOf(answer);
      names.push(calls.map(({ name }) => name).join('+'));
      const results = calls.map(({ id }) => ({ type: 'toolResult', toolCallId: id, content: [] }) as const);
      messages.push({ role: 'assistant', parts: answer.parts }, { role: 'tool', parts: results });
    }
    assert.deepEqual(names, ['get_time', 'get_weather', '']);
  });

  it('only once if the request forbids parallel calls', async () => {
    assert.deepEqual(await namesCalled('get_weather, get_time', { parallelToolCalls: false }), ['get_weather']);
  });

  it('with a common word as its name only on request', async () => {
    assert.deepEqual(await namesCalled('Read this text, please'), []);
    assert.deepEqual(await namesCalled('Please use Read with path=a.txt'), ['Read']);
  });

  it('not if its name is part of another word', async () => {
    assert.deepEqual(await namesCalled('what does get_weather_map do?'), []);
  });

  it('not if the question is a command for text', async () => {
    assert.deepEqual(await namesCalled('echo use get_weather'), []);
  });

  it('as the tool choice requires', async () => {
    assert.deepEqual(await namesCalled('Hello', { toolChoice: { type: 'required' } }), ['get_weather']);
    assert.deepEqual(await namesCalled('Hello', { toolChoice: { type: 'tool', name: 'Read' } }), ['Read']);
    assert.deepEqual(await namesCalled('use get_time', { toolChoice: { type: 'none' } }), []);
    const allowed = { type: 'allowed', mode: 'required', names: ['get_time'] } as const;
    assert.deepEqual(await namesCalled('use get_weather', { toolChoice: allowed }), ['get_time']);
    assert.deepEqual(await namesCalled('use get_weather', { toolChoice: { ...allowed, mode: 'auto' } }), []);
  });

  it('with free text if the tool accepts it', async () => {
    const patch: Tool = { name: 'apply_patch', freeForm: true };
    const answer = await answerOf(quickSandbox(), {
      format: 'responses',
      text: 'use apply_patch with "*** Begin Patch"',
      request: { tools: [patch] },
    });
    assert.equal(callsOf(answer)[0]?.arguments, '*** Begin Patch');
    assert.equal(callsOf(answer)[0]?.freeForm, true);
  });

  it('with quoted words that are not a tool name', async () => {
    const answer = await answerOf(quickSandbox(), { text: "use `get_weather` for 'Oslo'", request: { tools } });
    assert.equal(JSON.parse(callsOf(answer)[0]?.arguments ?? '').city, 'Oslo');
  });
});
