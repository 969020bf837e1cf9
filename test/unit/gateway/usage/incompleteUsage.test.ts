import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import type { Answer } from '../../../support/modelServer/modelServer.ts';
import { ANY_SPEED, issued, pathOf, question, startLimited, withBudget } from '../budgets/limited.ts';
import { open, send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';

const streamOf = (...events: readonly unknown[]) =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');

const choice = (content: string, finish_reason: string | null = null, index = 0) => ({
  index,
  delta: { content },
  finish_reason,
});
const chunk = (choices: readonly object[], usage: unknown = null) => ({
  object: 'chat.completion.chunk',
  choices,
  usage,
});
const counted = (prompt_tokens: unknown, completion_tokens: unknown) => ({ prompt_tokens, completion_tokens });

const messageStart = (usage: unknown) => ({
  type: 'message_start',
  message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'model-a', content: [], usage },
});
const BLOCK = [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'A pound.' } },
];
const BLOCK_STOP = { type: 'content_block_stop', index: 0 };
const messageDelta = (usage: unknown, stop_reason: string | null = 'end_turn') => ({
  type: 'message_delta',
  delta: { stop_reason },
  usage,
});
const MESSAGE_STOP = { type: 'message_stop' };

const completion = (usage: unknown) => ({
  choices: [{ index: 0, message: { role: 'assistant', content: 'A pound.' }, finish_reason: 'stop' }],
  usage,
});
const message = (usage: unknown) => ({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'model-a', stop_reason: 'end_turn', usage },
  content: [{ type: 'text', text: 'A pound.' }],
});
const json = (body: unknown): Answer => ({ status: 200, body });

const MAX_TOKENS = 100;
const body = (format: FormatName, isStream: boolean, more: object = {}) =>
  JSON.stringify({ ...JSON.parse(question(format, { stream: isStream, maxTokens: MAX_TOKENS })), ...more });

/** A stream whose usage only the gateway requests. */
function unasked(): string {
  const { stream_options: _, ...rest } = JSON.parse(body('chat-completions', true));
  return JSON.stringify(rest);
}

interface UsageCase {
  readonly what: string;
  readonly format: FormatName;
  readonly answer: Answer;
}

const INCOMPLETE: readonly UsageCase[] = [
  {
    what: 'is counted before the answer, which breaks off',
    format: 'chat-completions',
    answer: { stream: streamOf(chunk([], counted(20, 1)), chunk([choice('A pound.')])), ending: 'cut' },
  },
  {
    what: 'is counted where one of two answers ends, and the other breaks off',
    format: 'chat-completions',
    answer: {
      stream: streamOf(chunk([choice('A', 'stop')], counted(20, 2)), chunk([choice('Two', null, 1)])),
      ending: 'cut',
    },
  },
  {
    what: 'has no count of the output',
    format: 'chat-completions',
    answer: json(completion({ prompt_tokens: 20, total_tokens: 60_020 })),
  },
  {
    what: 'has no count of the output in a chunk of its own',
    format: 'chat-completions',
    answer: { stream: streamOf(chunk([choice('', 'stop')]), chunk([], { prompt_tokens: 20 }), '[DONE]') },
  },
  {
    what: 'has an input of 0',
    format: 'messages',
    answer: json(message({ input_tokens: 0, output_tokens: 5 })),
  },
  {
    what: 'has a word for the input',
    format: 'chat-completions',
    answer: { stream: streamOf(chunk([choice('A', 'stop')]), chunk([], counted('twenty', 2)), '[DONE]') },
  },
  {
    what: 'has a negative input',
    format: 'chat-completions',
    answer: { stream: streamOf(chunk([choice('A', 'stop')]), chunk([], counted(-1_000_000, 2)), '[DONE]') },
  },
  {
    what: 'has a fraction of a token',
    format: 'chat-completions',
    answer: { stream: streamOf(chunk([choice('A', 'stop')]), chunk([], counted(10.5, 2)), '[DONE]') },
  },
  {
    what: 'comes with a `message_delta` that does not end the answer, which breaks off',
    format: 'messages',
    answer: {
      stream: streamOf(
        messageStart({ input_tokens: 20, output_tokens: 1 }),
        ...BLOCK,
        messageDelta({ output_tokens: 5 }, null),
      ),
      ending: 'cut',
    },
  },
  {
    what: 'is counted at the start alone',
    format: 'messages',
    answer: {
      stream: streamOf(
        messageStart({ input_tokens: 20, output_tokens: 1 }),
        ...BLOCK,
        BLOCK_STOP,
        messageDelta(undefined),
        MESSAGE_STOP,
      ),
    },
  },
  ...[-9, 9.5, 1e15, 'nine'].map((output_tokens) => ({
    what: `ends with an output of ${JSON.stringify(output_tokens)}`,
    format: 'messages' as const,
    answer: {
      stream: streamOf(
        messageStart({ input_tokens: 20, output_tokens: 1 }),
        BLOCK_STOP,
        messageDelta({ input_tokens: 20, output_tokens }),
        MESSAGE_STOP,
      ),
    },
  })),
  {
    what: 'has no count of the input',
    format: 'messages',
    answer: {
      stream: streamOf(messageStart(undefined), ...BLOCK, BLOCK_STOP, messageDelta({ output_tokens: 5 }), MESSAGE_STOP),
    },
  },
  {
    what: 'is only reported before the answer, which ends normally',
    format: 'chat-completions',
    answer: {
      stream: streamOf(chunk([], counted(20, 1)), chunk([choice('A pound.')]), chunk([choice('', 'stop')]), '[DONE]'),
    },
  },
  {
    what: 'is only reported with the first word',
    format: 'chat-completions',
    answer: {
      stream: streamOf(
        chunk([choice('A')], counted(20, 1)),
        chunk([choice(' pound.')]),
        chunk([choice('', 'stop')]),
        '[DONE]',
      ),
    },
  },
  {
    what: 'is reported first, and the reasoning is hidden',
    format: 'chat-completions',
    answer: { stream: streamOf(chunk([], counted(20, 1)), chunk([choice('', 'stop')]), '[DONE]') },
  },
  {
    what: 'is reported with the role, and the reasoning is hidden',
    format: 'chat-completions',
    answer: {
      stream: streamOf(
        chunk([{ index: 0, delta: { role: 'assistant', content: '' } }], counted(20, 1)),
        chunk([choice('', 'stop')]),
        '[DONE]',
      ),
    },
  },
  {
    what: 'is reported before the end, and the reasoning is hidden',
    format: 'chat-completions',
    answer: {
      stream: streamOf(
        chunk([{ index: 0, delta: { role: 'assistant', content: '' } }]),
        chunk([choice('')], counted(20, 1)),
        chunk([choice('', 'stop')]),
        '[DONE]',
      ),
    },
  },
  {
    what: 'comes with a `message_delta` in the middle of the answer alone',
    format: 'messages',
    answer: {
      stream: streamOf(
        messageStart({ input_tokens: 20, output_tokens: 1 }),
        ...BLOCK,
        messageDelta({ output_tokens: 5 }, null),
        ...BLOCK,
        BLOCK_STOP,
        messageDelta(undefined),
        MESSAGE_STOP,
      ),
    },
  },
  {
    what: 'comes with a `message_delta` before that which ends the answer',
    format: 'messages',
    answer: {
      stream: streamOf(
        messageStart({ input_tokens: 20, output_tokens: 1 }),
        ...BLOCK,
        messageDelta({ output_tokens: 5 }, null),
        BLOCK_STOP,
        messageDelta(undefined),
        MESSAGE_STOP,
      ),
    },
  },
  {
    what: 'has the input of the start alone, and a tool of the service ran since',
    format: 'messages',
    answer: {
      stream: streamOf(
        messageStart({ input_tokens: 20, output_tokens: 1 }),
        {
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
        },
        ...BLOCK,
        BLOCK_STOP,
        messageDelta({ output_tokens: 5 }),
        MESSAGE_STOP,
      ),
    },
  },
  { what: 'is that of a job which waits', format: 'responses', answer: json(queued()) },
];

function queued() {
  return { id: 'resp_1', status: 'queued', output: [], usage: { input_tokens: 20, output_tokens: 1 } };
}

describe('incompletely reported usage', () => {
  afterEach(closeAll);

  for (const { what, format, answer } of INCOMPLETE) {
    const isStream = typeof answer === 'object' && 'stream' in answer;

    it(`is charged as the full reservation if it ${what}`, async () => {
      const running = await startLimited(withBudget(1, 'usd'), () => answer);
      const ended = running.nextRecord();
      await send({ port: running.port, path: pathOf(format), body: body(format, isStream) });
      const { usage, usageIsEstimated } = await ended;
      assert.equal(usageIsEstimated, true);
      assert.equal(usage?.outputTokens, MAX_TOKENS);
      assert.ok((usage?.inputTokens ?? 0) >= 20);
    });

    it(`is marked as an estimate for a key without a budget if it ${what}`, async () => {
      const running = await startLimited(issued(), () => answer);
      const ended = running.nextRecord();
      await send({ port: running.port, path: pathOf(format), body: body(format, isStream) });
      const { usage, usageIsEstimated } = await ended;
      assert.equal(usageIsEstimated, true);
      assert.ok((usage?.inputTokens ?? 0) > 0);
    });
  }

  it('is charged as the full reservation if a translated stream is counted only before its last event', async () => {
    const events = [
      messageStart({ input_tokens: 20, output_tokens: 1 }),
      ...BLOCK,
      messageDelta({ output_tokens: 5 }, null),
    ];
    const answer = { stream: streamOf(...events, BLOCK_STOP, messageDelta(undefined), MESSAGE_STOP) };
    const behind = [{ maxTokensPerSecond: ANY_SPEED, formats: ['messages'] as const, script: () => answer }];
    const running = await startRouter(behind, {}, { localKeys: [withBudget(5_000)] });
    const ended = running.nextRecord();
    await send({ port: running.port, path: pathOf('responses'), body: body('responses', true) });
    const { usage, usageIsEstimated } = await ended;
    assert.deepEqual([usage?.outputTokens, usageIsEstimated], [MAX_TOKENS, true]);
  });

  for (const [where, events] of Object.entries({
    'before the answer': [chunk([], counted(20, 1)), chunk([choice('A pound.')]), chunk([choice('', 'stop')])],
    'with the first word': [chunk([choice('A')], counted(20, 1)), chunk([choice(' pound.', 'stop')])],
    'before an answer of which nothing is shown': [chunk([], counted(20, 1)), chunk([choice('', 'stop')])],
  })) {
    const answer = { stream: streamOf(...events, '[DONE]') };

    it(`is charged as the full reservation if a translated stream is counted only ${where}`, async () => {
      const behind = [{ maxTokensPerSecond: ANY_SPEED, formats: ['chat-completions'] as const, script: () => answer }];
      const running = await startRouter(behind, {}, { localKeys: [withBudget(5_000)] });
      const ended = running.nextRecord();
      await send({ port: running.port, path: pathOf('messages'), body: body('messages', true) });
      const { usage, usageIsEstimated } = await ended;
      assert.deepEqual([usage?.outputTokens, usageIsEstimated], [MAX_TOKENS, true]);
    });

    it(`is charged as the full reservation if the gateway requested a count, which comes only ${where}`, async () => {
      const running = await startLimited(withBudget(1, 'usd'), () => answer);
      const ended = running.nextRecord();
      await send({ port: running.port, path: pathOf('chat-completions'), body: unasked() });
      const { usage, usageIsEstimated } = await ended;
      assert.deepEqual([usage?.outputTokens, usageIsEstimated], [MAX_TOKENS, true]);
    });
  }

  for (const [where, events] of Object.entries({
    'each part of the answer, but for the last event': [
      chunk([choice('A')], counted(20, 1)),
      chunk([choice(' pound.')], counted(20, 9)),
      chunk([choice('', 'stop')]),
    ],
    'the only event': [chunk([choice('A pound.', 'stop')], counted(20, 9))],
    'the last choice': [chunk([choice('A pound.')]), chunk([{ ...choice('', 'stop'), usage: counted(20, 9) }])],
    'a name of the service': [
      chunk([choice('A pound.')]),
      { ...chunk([choice('', 'stop')]), x_groq: { id: 'req_1', usage: counted(20, 9) } },
    ],
    'an empty delta after the end': [
      chunk([choice('A pound.')]),
      chunk([choice('', 'stop')]),
      chunk([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }], counted(20, 9)),
    ],
  })) {
    it(`is complete if it is counted with ${where}`, async () => {
      const running = await startLimited(withBudget(1, 'usd'), () => ({ stream: streamOf(...events, '[DONE]') }));
      const ended = running.nextRecord();
      await send({ port: running.port, path: pathOf('chat-completions'), body: body('chat-completions', true) });
      const { usage, usageIsEstimated } = await ended;
      assert.deepEqual([usage?.outputTokens, usageIsEstimated], [9, undefined]);
    });
  }

  for (const [caller, last] of [
    ['chat-completions', undefined],
    ['responses', undefined],
    ['responses', { output_tokens: null }],
  ] as const) {
    it(`is charged as the full reservation if ${caller} gets only that of the start, and ${JSON.stringify(last)}`, async () => {
      const events = [messageStart({ input_tokens: 20, output_tokens: 1 }), ...BLOCK, BLOCK_STOP];
      const answer = { stream: streamOf(...events, messageDelta(last), MESSAGE_STOP) };
      const behind = [{ maxTokensPerSecond: ANY_SPEED, formats: ['messages'] as const, script: () => answer }];
      const running = await startRouter(behind, {}, { localKeys: [withBudget(5_000)] });
      const ended = running.nextRecord();
      await send({ port: running.port, path: pathOf(caller), body: body(caller, true) });
      const { usage, usageIsEstimated } = await ended;
      assert.deepEqual([usage?.outputTokens, usageIsEstimated], [MAX_TOKENS, true]);
    });
  }

  for (const [what, wrong] of [
    ['negative', -1_000_000],
    ['a fraction', 10.5],
    ['beyond reason', 1e12],
    ['a word', 'ten'],
  ] as const) {
    it(`is not used in a translation if it is ${what}`, async () => {
      const behind = [
        {
          maxTokensPerSecond: ANY_SPEED,
          formats: ['chat-completions'] as const,
          script: () => json(completion(counted(wrong, 2))),
        },
      ];
      const running = await startRouter(behind, {}, { localKeys: [withBudget(5_000)] });
      const ended = running.nextRecord();
      const { status } = await send({ port: running.port, path: pathOf('messages'), body: body('messages', false) });
      const { usage, usageIsEstimated } = await ended;
      assert.deepEqual([status, usage?.outputTokens, usageIsEstimated], [200, MAX_TOKENS, true]);
      assert.ok((usage?.inputTokens ?? 0) > 0 && (usage?.inputTokens ?? 0) < 5_000);
    });
  }

  it('is complete in a failed response that is translated', async () => {
    const response = {
      ...{ id: 'resp_1', status: 'failed', output: [], error: { code: 'server_error', message: 'It broke.' } },
      usage: { input_tokens: 20, output_tokens: 9 },
    };
    const said = { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'A pound.' };
    const answer = { stream: streamOf(said, { type: 'response.failed', response }) };
    const behind = [{ maxTokensPerSecond: ANY_SPEED, formats: ['responses'] as const, script: () => answer }];
    const running = await startRouter(behind, {}, { localKeys: [withBudget(5_000)] });
    const ended = running.nextRecord();
    await send({ port: running.port, path: pathOf('messages'), body: body('messages', true) });
    const { usage, usageIsEstimated, end } = await ended;
    assert.deepEqual([usage?.outputTokens, usageIsEstimated, end], [9, undefined, 'upstreamFailed']);
  });

  it('is considered fully written to the cache if only the total input is reported', async () => {
    const running = await startLimited(withBudget(5, 'usd'), () => json(completion({ prompt_tokens: 20 })));
    const ended = running.nextRecord();
    const content = [{ type: 'text', text: 'How much?', cache_control: { type: 'ephemeral', ttl: '1h' } }];
    const messages = [{ role: 'user', content }];
    await send({
      port: running.port,
      path: pathOf('chat-completions'),
      body: body('chat-completions', false, { messages }),
    });
    const { usage } = await ended;
    assert.deepEqual([usage?.inputTokens, usage?.cacheWriteTokens, usage?.longCacheWriteTokens], [20, 20, 20]);
  });

  describe('of a stream with a search tool that its client leaves', () => {
    const SEARCH = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
    const searching = { type: 'content_block_start', index: 1, content_block: SEARCH };

    async function inputOf(events: readonly object[], maxTokensPerSecond: number): Promise<number> {
      const start = streamOf(messageStart({ input_tokens: 20, output_tokens: 1 }), ...BLOCK, ...events);
      const answer = () => ({ stream: start, ending: 'stall' as const });
      const running = await startLimited(withBudget(5, 'usd'), answer, {}, maxTokensPerSecond);
      const ended = running.nextRecord();
      const request = open({ port: running.port, path: pathOf('messages') });
      request.end(body('messages', true, { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }));
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      await once(response, 'data');
      response.destroy();
      return (await ended).usage?.inputTokens ?? 0;
    }

    it('is what was first reported if the stream shows no search', async () => {
      assert.equal(await inputOf([], 1), 20);
    });

    it('is the whole context window if the stream shows a search, whose results the model may have read', async () => {
      assert.ok((await inputOf([searching], 1)) >= 200_000);
    });

    it('is the whole context window if the upstream is set to write all that it may', async () => {
      assert.ok((await inputOf([], ANY_SPEED)) >= 200_000);
    });
  });

  it('is the last report, even in a chunk that the caller did not request', async () => {
    const lines = [chunk([choice('A pound.', 'stop')], counted(20, 2)), chunk([], counted(20, 9)), '[DONE]'];
    const running = await startLimited(withBudget(1, 'usd'), () => ({ stream: streamOf(...lines) }));
    const ended = running.nextRecord();
    await send({ port: running.port, path: pathOf('chat-completions'), body: unasked() });
    const { usage, usageIsEstimated } = await ended;
    assert.deepEqual([usage?.outputTokens, usageIsEstimated], [9, undefined]);
  });

  for (const early of [0, 1]) {
    it(`is that of the end if an early chunk, which the caller did not request, counts ${early}`, async () => {
      const lines = [
        chunk([], counted(early * 20, early)),
        chunk([choice('A pound.')]),
        chunk([choice('', 'stop')], counted(20, 9)),
        '[DONE]',
      ];
      const running = await startLimited(withBudget(1, 'usd'), () => ({ stream: streamOf(...lines) }));
      const ended = running.nextRecord();
      await send({ port: running.port, path: pathOf('chat-completions'), body: unasked() });
      const { usage, usageIsEstimated } = await ended;
      assert.deepEqual([usage?.inputTokens, usage?.outputTokens, usageIsEstimated], [20, 9, undefined]);
    });
  }

  it('is not taken from an early chunk that the caller did not request if the answer is interrupted', async () => {
    const lines = [chunk([], counted(20, 1)), chunk([choice('A pound.')])];
    const running = await startLimited(withBudget(1, 'usd'), () => ({ stream: streamOf(...lines), ending: 'cut' }));
    const ended = running.nextRecord();
    await send({ port: running.port, path: pathOf('chat-completions'), body: unasked() });
    const { usage, usageIsEstimated } = await ended;
    assert.deepEqual([usage?.outputTokens, usageIsEstimated], [MAX_TOKENS, true]);
  });

  it('keeps its input if the last report is 0', async () => {
    const running = await startLimited(withBudget(1, 'usd'), () => ({
      stream: streamOf(
        messageStart({ input_tokens: 2_000, output_tokens: 1 }),
        ...BLOCK,
        BLOCK_STOP,
        messageDelta({ input_tokens: 0, output_tokens: 5 }),
        MESSAGE_STOP,
      ),
    }));
    const ended = running.nextRecord();
    await send({ port: running.port, path: pathOf('messages'), body: body('messages', true) });
    const { usage, usageIsEstimated } = await ended;
    assert.deepEqual([usage?.inputTokens, usage?.outputTokens, usageIsEstimated], [2_000, 5, undefined]);
  });
});

describe('the usage of an answer with several model calls', () => {
  afterEach(closeAll);

  const iterations = [
    { type: 'compaction', input_tokens: 18_000, output_tokens: 350 },
    { type: 'message', input_tokens: 2_300, output_tokens: 90 },
  ];
  const usage = { input_tokens: 2_300, output_tokens: 90, iterations };
  const ANSWERS: Readonly<Record<string, Answer>> = {
    'an answer': json(message(usage)),
    'a stream': {
      stream: streamOf(
        messageStart({ input_tokens: 20, output_tokens: 1 }),
        ...BLOCK,
        BLOCK_STOP,
        messageDelta(usage),
        MESSAGE_STOP,
      ),
    },
  };

  for (const [what, answer] of Object.entries(ANSWERS)) {
    it(`is the sum of all calls, in ${what}`, async () => {
      const running = await startLimited(issued(), () => answer);
      const ended = running.nextRecord();
      await send({
        port: running.port,
        path: pathOf('messages'),
        body: body('messages', 'stream' in (answer as object)),
      });
      const record = await ended;
      assert.deepEqual([record.usage?.inputTokens, record.usage?.outputTokens], [20_300, 440]);
      assert.equal(record.usageIsEstimated, undefined);
    });
  }

  it('is marked as an estimate if one of the calls used another model, with other prices', async () => {
    const advice = { type: 'advisor_message', model: 'model-b', input_tokens: 800, output_tokens: 1_600 };
    const running = await startLimited(issued(), () =>
      json(message({ ...usage, iterations: [...iterations, advice] })),
    );
    const ended = running.nextRecord();
    await send({ port: running.port, path: pathOf('messages'), body: body('messages', false) });
    assert.equal((await ended).usageIsEstimated, true);
  });
});
