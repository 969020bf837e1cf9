import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import type { Answer } from '../../../support/modelServer/modelServer.ts';
import { get, json, open, send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { askedOf, type Limited, pathOf, question, startLimited, withBudget } from './limited.ts';

/** The context window of a model whose catalog has none. $1 per 1M tokens. */
const WINDOW = 200_000;
const MAX_TOKENS = 100;
const SEARCH = { type: 'web_search_20250305', name: 'web_search' };
const TOOLS: Readonly<Record<'messages' | 'responses', object>> = {
  messages: SEARCH,
  responses: { type: 'web_search' },
};
type Shown = keyof typeof TOOLS;

const body = (format: FormatName, more: object) =>
  JSON.stringify({ ...JSON.parse(question(format, { maxTokens: MAX_TOKENS })), ...more });

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const START: Readonly<Record<Shown, string>> = {
  messages: event({
    type: 'message_start',
    message: { id: 'msg_1', model: 'model-a', content: [], usage: { input_tokens: 20, output_tokens: 1 } },
  }),
  responses: event({ type: 'response.created', response: { id: 'resp_1', model: 'model-a', output: [] } }),
};
const CALL: Readonly<Record<Shown, string>> = {
  messages: event({
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
  }),
  responses: event({ type: 'response.output_item.added', item: { type: 'web_search_call', id: 'ws_1' } }),
};
const CALLERS_CALL: Readonly<Record<Shown, string>> = {
  messages: event({
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'server_tool_use', input: {} },
  }),
  responses: event({ type: 'response.output_item.added', item: { type: 'function_call', id: 'fc_1', name: 'x' } }),
};
const END: Readonly<Record<Shown, string>> = {
  messages: event({ type: 'message_delta', delta: { stop_reason: 'end_turn' } }) + event({ type: 'message_stop' }),
  responses: event({ type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [] } }),
};

async function figuresOf({ port }: Limited): Promise<{ used: number; reserved: number }> {
  return json(await get({ port, path: '/v1/balance' })) as { used: number; reserved: number };
}

describe('a request of a key with a budget whose tools the service runs', () => {
  afterEach(closeAll);

  const start = (dollars: number, answer: Answer) => startLimited(withBudget(dollars, 'usd'), () => answer);
  const ask = (running: Limited, format: FormatName, more: object) =>
    send({ port: running.port, path: pathOf(format), body: body(format, more) });

  for (const format of ['messages', 'responses'] as const) {
    const tools = { tools: [TOOLS[format]] };

    it(`pays for each time that the service may have asked its model, where a stream of ${format} tells no usage`, async () => {
      const running = await start(5, { stream: START[format] + CALL[format].repeat(4) + END[format] });
      const ended = running.nextRecord();
      await ask(running, format, { ...tools, stream: true });
      const { usage, usageIsEstimated } = await ended;
      assert.equal(usageIsEstimated, true);
      assert.ok((usage?.inputTokens ?? 0) >= 5 * WINDOW, String(usage?.inputTokens));
      assert.ok((usage?.inputTokens ?? 0) < 7 * WINDOW, String(usage?.inputTokens));
      assert.equal((await figuresOf(running)).reserved, 0);
    });

    it(`pays for no calls that its caller runs, in ${format}`, async () => {
      const running = await start(5, { stream: START[format] + CALLERS_CALL[format].repeat(4) + END[format] });
      const ended = running.nextRecord();
      await ask(running, format, { ...tools, stream: true });
      assert.ok(((await ended).usage?.inputTokens ?? 0) < 3 * WINDOW);
    });

    it(`reserves the next turn as soon as a call of ${format} is seen`, async () => {
      const running = await start(5, { stream: START[format] + CALL[format].repeat(3), ending: 'stall' });
      const request = open({ port: running.port, path: pathOf(format) });
      request.end(body(format, { ...tools, stream: true }));
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      await once(response, 'data');
      const { reserved } = await figuresOf(running);
      assert.ok(reserved * 1e6 >= 5 * WINDOW, String(reserved));
      const ended = running.nextRecord();
      response.destroy();
      assert.ok(((await ended).usage?.inputTokens ?? 0) >= 5 * WINDOW);
      const settled = await figuresOf(running);
      assert.equal(settled.reserved, 0);
      assert.ok(settled.used * 1e6 >= 5 * WINDOW, String(settled.used));
    });

    it(`is ended before its tools overspend the budget, in a stream of ${format}`, async () => {
      const running = await start(0.7, { stream: START[format] + CALL[format].repeat(2), ending: 'stall' });
      const ended = running.nextRecord();
      const { body: answer } = await ask(running, format, { ...tools, stream: true });
      assert.match(answer.toString(), /limit how often its tools make the service ask the model again/);
      assert.equal((await ended).end, 'budget');
      const { used, reserved } = await figuresOf(running);
      assert.equal(reserved, 0);
      assert.ok(used <= 0.7 && used >= 0.6, String(used));
    });

    it(`is refused where ${format} does not show what it may use, unless it has a limit that the budget covers`, async () => {
      const running = await start(1, { parts: [{ text: 'A pound.' }] });
      const refused = await ask(running, format, tools);
      assert.equal(refused.status, 402);
      assert.match(refused.body.toString(), /max_uses/);
      const limited = format === 'messages' ? { tools: [{ ...SEARCH, max_uses: 2 }] } : { ...tools, max_tool_calls: 2 };
      assert.equal((await ask(running, format, limited)).status, 200);
      assert.equal(askedOf(running).length, 1);
    });
  }

  it('pays what was told', async () => {
    const usage = { input_tokens: 1_234, output_tokens: 5, server_tool_use: { web_search_requests: 4 } };
    const delta = event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage });
    const stream = START.messages + CALL.messages.repeat(4) + delta + event({ type: 'message_stop' });
    const running = await start(5, { stream });
    const ended = running.nextRecord();
    await ask(running, 'messages', { tools: [SEARCH], stream: true });
    const { usage: used, usageIsEstimated } = await ended;
    assert.deepEqual([used?.inputTokens, used?.outputTokens, usageIsEstimated], [1_234, 5, undefined]);
    assert.equal((await figuresOf(running)).reserved, 0);
  });

  it('pays for all that each attempt may have used where the connection breaks before the answer', async () => {
    const running = await start(10, 'hang up');
    const ended = running.nextRecord();
    await ask(running, 'messages', { tools: [SEARCH], stream: true });
    const { usage, attempts = [] } = await ended;
    assert.ok((usage?.inputTokens ?? 0) >= 10 * WINDOW);
    assert.ok(attempts.every((attempt) => attempt.usage === undefined || attempt.usage.inputTokens >= 10 * WINDOW));
    assert.equal((await figuresOf(running)).reserved, 0);
  });

  it('pays for all that it may use where it asked for a stream and gets something else', async () => {
    const content = [{ type: 'text', text: 'A pound.' }];
    const running = await start(5, { status: 200, body: { type: 'message', model: 'model-a', content } });
    const ended = running.nextRecord();
    await ask(running, 'messages', { tools: [SEARCH], stream: true });
    assert.ok(((await ended).usage?.inputTokens ?? 0) >= 10 * WINDOW);
  });

  it('pays for all that it may use where a chat completion does not show its calls', async () => {
    const running = await start(5, { stream: event({ choices: [{ index: 0, delta: { content: 'A pound.' } }] }) });
    const ended = running.nextRecord();
    await ask(running, 'chat-completions', { tools: [{ type: 'web_search' }], stream: true });
    assert.ok(((await ended).usage?.inputTokens ?? 0) >= 10 * WINDOW);
  });

  it('reserves one turn for tools that the vendor defines and the caller runs', async () => {
    const running = await start(0.25, { parts: [{ text: 'A pound.' }] });
    const tools = [
      { type: 'bash_20250124', name: 'bash' },
      { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
    ];
    assert.equal((await ask(running, 'messages', { tools })).status, 200);
  });
});
