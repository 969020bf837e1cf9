import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import type { Answer } from '../../../support/modelServer/modelServer.ts';
import { get, json, open, send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { askedOf, issued, type Limited, pathOf, question, SEARCHING, startLimited, withBudget } from './limited.ts';

/** The context window of a model whose catalog has none. $1 per 1M tokens. */
const WINDOW = 200_000;
const MAX_TOKENS = 100;
const SEARCH = { type: 'web_search_20250305', name: 'web_search' };
/** How many searches are reserved if nothing limits them. */
const MAX_SEARCHES = 10;
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

describe('a request of a key with a budget and with tools that the service runs', () => {
  afterEach(closeAll);

  const start = (dollars: number, answer: Answer) => startLimited(withBudget(dollars, 'usd'), () => answer);
  const ask = (running: Limited, format: FormatName, more: object) =>
    send({ port: running.port, path: pathOf(format), body: body(format, more) });

  for (const format of ['messages', 'responses'] as const) {
    const tools = { tools: [TOOLS[format]] };
    const limited = format === 'messages' ? { tools: [{ ...SEARCH, max_uses: 2 }] } : { ...tools, max_tool_calls: 2 };

    it(`reserves all turns of a stream of ${format} with a limit, and is charged for them if its client disconnects`, async () => {
      const running = await start(1, 'stay silent');
      const ended = running.nextRecord();
      const request = open({ port: running.port, path: pathOf(format) });
      request.on('error', () => undefined);
      request.end(body(format, { ...limited, stream: true }));
      await running.server.question();
      const { reserved } = await figuresOf(running);
      assert.ok(reserved * 1e6 >= 3 * WINDOW && reserved * 1e6 < 4 * WINDOW, String(reserved));
      request.destroy();
      await ended;
      assert.equal((await figuresOf(running)).used, reserved);
    });

    it(`is charged at most the reservation if the ${format} connection breaks before the answer`, async () => {
      const running = await start(2.5, 'hang up');
      const ended = running.nextRecord();
      await ask(running, format, { ...tools, stream: true });
      await ended;
      const { used, reserved } = await figuresOf(running);
      assert.equal(reserved, 0);
      assert.ok(used > 0 && used <= 2.5, String(used));
    });
  }

  it('is refused as messages without a limit, and allowed with one that the budget covers', async () => {
    const running = await start(1, { parts: [{ text: 'A pound.' }] });
    const refused = await ask(running, 'messages', { tools: [SEARCH] });
    assert.equal(refused.status, 402);
    assert.match(refused.body.toString(), /max_uses/);
    assert.equal((await ask(running, 'messages', { tools: [{ ...SEARCH, max_uses: 2 }] })).status, 200);
    assert.equal(askedOf(running).length, 1);
  });

  describe('in the responses format without a call limit', () => {
    const whole = { stream: START.responses + END.responses };
    const tools = { tools: [TOOLS.responses] };
    const sentBy = (running: Limited) => askedOf(running).map(({ text }) => text);

    for (const stream of [false, true]) {
      const answer = stream ? whole : { parts: [{ text: 'A pound.' }] };

      it(`gets the highest limit that the budget covers, ${stream ? 'as a stream' : 'as one answer'}, and is charged for all calls without usage`, async () => {
        const running = await start(0.9, stream ? answer : 'hang up');
        const asked = body('responses', { ...tools, stream });
        const ended = running.nextRecord();
        await send({ port: running.port, path: pathOf('responses'), body: asked });
        const [sent] = sentBy(running);
        assert.equal(sent, asked.replace(/}$/, ',"max_tool_calls":3}'));
        const { usage } = await ended;
        assert.ok((usage?.inputTokens ?? 0) >= 4 * WINDOW, String(usage?.inputTokens));
      });

      it(`gets a lower limit if the budget covers no more, or is refused, ${stream ? 'as a stream' : 'as one answer'}`, async () => {
        const running = await start(0.5, answer);
        assert.equal((await ask(running, 'responses', { ...tools, stream })).status, 200);
        assert.equal(JSON.parse(sentBy(running)[0] ?? '').max_tool_calls, 1);
        const refused = await ask(await start(0.3, answer), 'responses', { ...tools, stream });
        assert.equal(refused.status, 402);
        assert.match(refused.body.toString(), /max_tool_calls/);
      });
    }

    it('gets a limit instead of null, and keeps its own', async () => {
      const running = await start(2, whole);
      await ask(running, 'responses', { max_tool_calls: null, ...tools, stream: true });
      await ask(running, 'responses', { ...tools, max_tool_calls: 2, stream: true });
      assert.deepEqual(
        sentBy(running).map((sent) => JSON.parse(sent).max_tool_calls),
        [3, 2],
      );
    });

    it('gets no limit without a budget, for tools of the caller, or for a compaction', async () => {
      const running = await start(2, whole);
      await ask(running, 'responses', { tools: [{ type: 'function', name: 'look', parameters: {} }], stream: true });
      await send({ port: running.port, path: '/api/v1/responses/compact', body: body('responses', tools) });
      const free = await startLimited(issued(), () => whole);
      await ask(free, 'responses', { ...tools, stream: true });
      assert.deepEqual(
        [sentBy(running), sentBy(free)].flat().filter((sent) => sent.includes('max_tool_calls')),
        [],
      );
    });

    it('is resent without the limit to an upstream that refuses it, permanently, and its calls are counted', async () => {
      const refusal = { status: 400, body: { error: { message: "Unknown parameter: 'max_tool_calls'." } } };
      const stream = START.responses + CALL.responses.repeat(5) + END.responses;
      const running = await startLimited(withBudget(20, 'usd'), ({ text }) =>
        text.includes('max_tool_calls') ? refusal : { stream },
      );
      const ended = running.nextRecord();
      assert.equal((await ask(running, 'responses', { ...tools, stream: true })).status, 200);
      const { usage } = await ended;
      assert.ok((usage?.inputTokens ?? 0) >= 6 * WINDOW && (usage?.inputTokens ?? 0) < 8 * WINDOW);
      await ask(running, 'responses', { ...tools, stream: true });
      assert.deepEqual(
        sentBy(running).map((sent) => sent.includes('max_tool_calls')),
        [true, false, false],
      );
    });

    it('keeps the limit after a refusal that only quotes it because a caller wrote it elsewhere', async () => {
      const message = "Invalid type for 'metadata.max_tool_calls': expected a string.";
      const running = await startLimited(withBudget(20, 'usd'), ({ text }) =>
        text.includes('metadata') ? { status: 400, body: { error: { message } } } : whole,
      );
      const quoting = { ...tools, stream: true, metadata: { max_tool_calls: 1 } };
      assert.equal((await ask(running, 'responses', quoting)).status, 400);
      await ask(running, 'responses', { ...tools, stream: true });
      assert.equal(JSON.parse(sentBy(running).at(-1) ?? '').max_tool_calls, 3);
    });

    it('gets the refusal of such an upstream if it is not streamed, because its calls would be hidden', async () => {
      const refusal = { status: 400, body: { error: { message: "Unknown parameter: 'max_tool_calls'." } } };
      const running = await start(20, refusal);
      const { status, body } = await ask(running, 'responses', tools);
      assert.deepEqual([status, sentBy(running).length], [400, 1]);
      assert.match(body.toString(), /max_tool_calls/);
    });
  });

  it('is refused as a messages stream unless the budget covers the vendor’s documented limit', async () => {
    const answer = { stream: START.messages + END.messages };
    const refused = await ask(await start(1.9, answer), 'messages', { tools: [SEARCH], stream: true });
    assert.equal(refused.status, 402);
    const running = await start(2.1, answer);
    const ended = running.nextRecord();
    assert.equal((await ask(running, 'messages', { tools: [SEARCH], stream: true })).status, 200);
    assert.ok(((await ended).usage?.inputTokens ?? 0) >= 10 * WINDOW);
  });

  describe('with an upstream that ignores the limit, in a stream that shows the calls', () => {
    const tools = { tools: [TOOLS.responses], stream: true };

    for (const gzip of [false, true]) {
      it(`is charged for each possible turn if no usage is reported${gzip ? ', if compressed' : ''}`, async () => {
        const stream = START.responses + CALL.responses.repeat(4) + END.responses;
        const running = await start(5, { stream, gzip });
        const ended = running.nextRecord();
        await ask(running, 'responses', tools);
        const { usage, usageIsEstimated } = await ended;
        assert.equal(usageIsEstimated, true);
        assert.ok((usage?.inputTokens ?? 0) >= 5 * WINDOW, String(usage?.inputTokens));
        assert.ok((usage?.inputTokens ?? 0) < 7 * WINDOW, String(usage?.inputTokens));
        assert.equal((await figuresOf(running)).reserved, 0);
      });
    }

    it('gets an event that is too long to be held, and is charged for the calls after it', async () => {
      const long = {
        type: 'response.output_item.done',
        item: { type: 'image_generation_call', result: 'x'.repeat(3e6) },
      };
      const stream = `${START.responses}data: ${JSON.stringify(long)}\n\n${CALL.responses.repeat(4)}${END.responses}`;
      const running = await start(5, { stream });
      const ended = running.nextRecord();
      assert.equal((await ask(running, 'responses', tools)).body.toString(), stream);
      assert.ok(((await ended).usage?.inputTokens ?? 0) >= 5 * WINDOW);
    });

    it('is not charged for calls that its caller runs', async () => {
      const running = await start(5, { stream: START.responses + CALLERS_CALL.responses.repeat(4) + END.responses });
      const ended = running.nextRecord();
      await ask(running, 'responses', tools);
      assert.ok(((await ended).usage?.inputTokens ?? 0) < 5 * WINDOW);
    });

    it('reserves the next turn as soon as a call appears', async () => {
      const running = await start(5, { stream: START.responses + CALL.responses.repeat(4), ending: 'stall' });
      const request = open({ port: running.port, path: pathOf('responses') });
      request.end(body('responses', tools));
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      await once(response, 'data');
      const { reserved } = await figuresOf(running);
      assert.ok(reserved * 1e6 >= 6 * WINDOW, String(reserved));
      const ended = running.nextRecord();
      response.destroy();
      assert.ok(((await ended).usage?.inputTokens ?? 0) >= 6 * WINDOW);
      const settled = await figuresOf(running);
      assert.equal(settled.reserved, 0);
      assert.ok(settled.used * 1e6 >= 6 * WINDOW, String(settled.used));
    });

    it('is ended before its tools overspend the budget', async () => {
      const running = await start(0.7, { stream: START.responses + CALL.responses.repeat(2), ending: 'stall' });
      const ended = running.nextRecord();
      const { body: answer } = await ask(running, 'responses', tools);
      assert.match(answer.toString(), /limit how often its tools make the service call the model again/);
      assert.equal((await ended).end, 'budget');
      const { used, reserved } = await figuresOf(running);
      assert.equal(reserved, 0);
      assert.ok(used <= 0.7 && used >= 0.6, String(used));
    });
  });

  it('is charged the reported usage', async () => {
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

  it('is charged the fee of each search that it may have made, if no number is reported', async () => {
    const usage = { prompt_tokens: 20, completion_tokens: 5 };
    const choices = [{ index: 0, message: { role: 'assistant', content: 'A pound.' }, finish_reason: 'stop' }];
    for (const [told, searches] of [
      [{}, MAX_SEARCHES],
      [{ server_tool_use: { web_search_requests: 2 } }, 2],
      [{ server_tool_use: { web_search_requests: 0 } }, undefined],
    ] as const) {
      const answer = { status: 200, body: { model: SEARCHING, choices, usage: { ...usage, ...told } } };
      const running = await start(10, answer);
      const ended = running.nextRecord();
      await ask(running, 'chat-completions', { model: SEARCHING, web_search_options: {} });
      const { usage: used, usageIsEstimated } = await ended;
      const isEstimated = searches === MAX_SEARCHES || undefined;
      assert.deepEqual([used?.outputTokens, used?.webSearches, usageIsEstimated], [5, searches, isEstimated]);
      assert.equal((await figuresOf(running)).used, (20 + 50 + (searches ?? 0) * 10_000) / 1e6);
    }
  });

  it('is charged the maximum of each attempt if the connection breaks before the answer', async () => {
    const running = await start(10, 'hang up');
    const ended = running.nextRecord();
    await ask(running, 'messages', { tools: [SEARCH], stream: true });
    const { usage, attempts = [] } = await ended;
    assert.ok((usage?.inputTokens ?? 0) >= 10 * WINDOW);
    assert.ok(attempts.every((attempt) => attempt.usage === undefined || attempt.usage.inputTokens >= 10 * WINDOW));
    assert.equal((await figuresOf(running)).reserved, 0);
  });

  it('is charged its maximum if it requests a stream and gets something else', async () => {
    const content = [{ type: 'text', text: 'A pound.' }];
    const running = await start(5, { status: 200, body: { type: 'message', model: 'model-a', content } });
    const ended = running.nextRecord();
    await ask(running, 'messages', { tools: [SEARCH], stream: true });
    assert.ok(((await ended).usage?.inputTokens ?? 0) >= 10 * WINDOW);
  });

  it('is charged its maximum if a chat completion does not show its calls', async () => {
    const running = await start(7, { stream: event({ choices: [{ index: 0, delta: { content: 'A pound.' } }] }) });
    const ended = running.nextRecord();
    await ask(running, 'chat-completions', { tools: [{ type: 'web_search' }], stream: true });
    assert.ok(((await ended).usage?.inputTokens ?? 0) >= 31 * WINDOW);
  });

  it('reserves one turn for vendor-defined tools that the caller runs', async () => {
    const running = await start(0.25, { parts: [{ text: 'A pound.' }] });
    const tools = [
      { type: 'bash_20250124', name: 'bash' },
      { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
    ];
    assert.equal((await ask(running, 'messages', { tools })).status, 200);
  });
});
