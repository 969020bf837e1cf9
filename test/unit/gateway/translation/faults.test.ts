/** Bugs that were reported for other gateways, each with the stream or request that caused it. */
import assert from 'node:assert/strict';
import type { ChatRequest, FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { AnswerRestorer } from '../../../../src/gateway/translation/answerRestorer.ts';
import { ToolNames } from '../../../../src/gateway/translation/toolPlan.ts';
import { TranslatedStream } from '../../../../src/gateway/translation/translatedStream.ts';
import { jsonOf, type WireEvent } from '../../formats/responses/wellFormed.ts';

const request: ChatRequest = { model: 'm', system: [], messages: [], stream: true };

function translate(upstream: FormatName, caller: FormatName, wire: string, asked: ChatRequest = request): string {
  const stream = new TranslatedStream({
    upstream: wireFormats[upstream],
    caller: wireFormats[caller],
    context: { request: asked, now: 1_800_000_000, inputTokens: 42 },
    restorer: new AnswerRestorer(new ToolNames(), { model: 'm', messages: [] }),
    keepsEvents: false,
  });
  return stream.push(Buffer.from(wire)) + stream.end();
}

type Delta = Readonly<Record<string, unknown>>;

function chunks(...deltas: (Delta | string)[]): string {
  return deltas
    .map((delta) => {
      if (typeof delta === 'string') return `data: ${delta}\n\n`;
      const { finish, usage, choices, ...rest } = delta;
      const whole = choices ?? [{ index: 0, delta: rest, finish_reason: finish ?? null }];
      return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: whole, ...(usage !== undefined && { usage }) })}\n\n`;
    })
    .join('');
}

function call(index: number, id: string, name: string, written = ''): Delta {
  return { tool_calls: [{ index, id, type: 'function', function: { name, arguments: written } }] };
}

function more(index: number, written: string): Delta {
  return { tool_calls: [{ index, function: { arguments: written } }] };
}

const END = [{ finish: 'stop' }, { choices: [], usage: { prompt_tokens: 9, completion_tokens: 3 } }, '[DONE]'] as const;

function messages(...deltas: (Delta | string)[]): WireEvent[] {
  return jsonOf(translate('chat-completions', 'messages', chunks(...deltas)));
}

/** Returns the final contents of the blocks of a messages stream. */
function blocks(events: readonly WireEvent[]): unknown[][] {
  const found: unknown[][] = [];
  for (const event of events) {
    if (event.type === 'content_block_start') found.push([event.content_block.type, '']);
    const block = found.at(-1);
    if (event.type !== 'content_block_delta' || block === undefined) continue;
    const delta = event.delta as unknown as Record<string, string>;
    block[1] += delta.text ?? delta.partial_json ?? delta.thinking ?? '';
  }
  return found;
}

const first = (events: readonly WireEvent[], type: string) => events.find((event) => event.type === type);

describe('known faults of other gateways, in streams to messages clients', () => {
  it('1: the first delta of each block is kept', () => {
    const events = messages(
      { role: 'assistant', reasoning_content: 'a' },
      { content: 'b' },
      call(0, 'c', 'f', '{"x":1}'),
      ...END,
    );
    assert.deepEqual(blocks(events), [
      ['thinking', 'a'],
      ['text', 'b'],
      ['tool_use', '{"x":1}'],
    ]);
  });

  it('2: an answer that begins with a call has no empty text block', () => {
    assert.deepEqual(blocks(messages({ role: 'assistant', content: '' }, call(0, 'c', 'f'), more(0, '{}'), ...END)), [
      ['tool_use', '{}'],
    ]);
  });

  it('3: reasoning has a block of its own, and the message starts once', () => {
    const events = messages(
      { role: 'assistant', content: '' },
      { content: 'a' },
      { role: 'assistant', reasoning_content: 'b' },
      ...END,
    );
    assert.deepEqual(blocks(events), [
      ['text', 'a'],
      ['thinking', 'b'],
    ]);
    assert.equal(events.filter(({ type }) => type === 'message_start').length, 1);
  });

  it('4: text with an empty list of tool calls stays text', () => {
    assert.deepEqual(blocks(messages({ content: 'a', tool_calls: [] }, { content: 'b', tool_calls: [] }, ...END)), [
      ['text', 'ab'],
    ]);
  });

  it('5, 6, 11: deltas belong to the open block, and indexes start at 0', () => {
    const events = messages(
      call(0, 'a', 'f', '{'),
      call(1, 'b', 'g', '{'),
      more(0, '}'),
      more(1, '}'),
      { content: 'late' },
      ...END,
    );
    let open = -1;
    for (const event of events) {
      if (event.type === 'content_block_start') {
        open += 1;
        assert.equal(event.index, open);
      } else if (event.type.startsWith('content_block')) assert.equal(event.index, open);
    }
    assert.equal(open, 2);
  });

  it('7: the arguments of the first call are streamed as they arrive', () => {
    const stream = translate(
      'chat-completions',
      'messages',
      chunks(call(0, 'a', 'f'), more(0, '{"x":'), more(0, '1}')),
    );
    assert.equal(stream.split('input_json_delta').length - 1, 2);
  });

  it('8, 15: the message start always has complete usage', () => {
    const message = first(messages({ content: 'a' }, ...END), 'message_start')?.message;
    assert.deepEqual(message.usage, {
      input_tokens: 42,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 0,
    });
  });

  it('9, 10: parallel calls become separate blocks, even if all have index 0', () => {
    for (const index of [1, 0]) {
      const events = messages(
        call(0, 'a', 'f'),
        more(0, '{"x":1}'),
        call(index, 'b', 'g'),
        more(index, '{"y":2}'),
        ...END,
      );
      assert.deepEqual(blocks(events), [
        ['tool_use', '{"x":1}'],
        ['tool_use', '{"y":2}'],
      ]);
    }
  });

  it('12, 29: the stop reason matches the content, whatever the upstream reports', () => {
    const reason = (...deltas: Delta[]) => {
      const delta = first(messages(...deltas, '[DONE]'), 'message_delta')?.delta as unknown as { stop_reason: string };
      return delta.stop_reason;
    };
    assert.equal(reason({ content: 'a' }, { finish: 'tool_calls' }), 'end_turn');
    assert.equal(reason(call(0, 'c', 'f', '{}'), { finish: 'stop' }), 'tool_use');
    assert.equal(reason({ content: 'a' }, { finish: 'length' }), 'max_tokens');
  });

  it('13: each block starts once, and a reasoning block has room for its signature, even if the upstream repeats its start', () => {
    const repeated = { role: 'assistant', reasoning_content: 'a' };
    const events = messages(repeated, repeated, { role: 'assistant', content: 'b' }, { role: 'assistant' }, ...END);
    const starts = events.filter(({ type }) => type === 'content_block_start');
    assert.deepEqual(
      starts.map(({ index, content_block: block }) => [index, block]),
      [
        [0, { type: 'thinking', thinking: '', signature: '' }],
        [1, { type: 'text', text: '' }],
      ],
    );
  });

  it('16, 17: the last usage is used, even if it arrives with an empty choice', () => {
    const events = messages(
      { content: 'a', usage: { prompt_tokens: 0, completion_tokens: 0 } },
      { finish: 'stop' },
      { choices: [{ index: 0, delta: {} }], usage: { prompt_tokens: 9, completion_tokens: 3 } },
      '[DONE]',
    );
    const usage = first(events, 'message_delta')?.usage;
    assert.deepEqual([usage.input_tokens, usage.output_tokens], [9, 3]);
  });

  it('17: a chunk without choices does not end the stream', () => {
    assert.deepEqual(blocks(messages({ content: 'a' }, { choices: [] }, { content: 'b' }, ...END)), [['text', 'ab']]);
  });

  it('18: incomplete usage and unknown chunks are harmless', () => {
    const events = messages(
      '{"warning":"slow"}',
      { content: 'a' },
      { finish: 'stop', usage: { completion_tokens: 4 } },
      '[DONE]',
    );
    assert.equal(first(events, 'message_delta')?.usage.output_tokens, 4);
  });

  it('estimates the usage of an answer if the upstream reports none', () => {
    const events = messages({ content: 'some words here' }, { finish: 'stop' }, '[DONE]');
    const usage = first(events, 'message_delta')?.usage;
    assert.equal(usage.input_tokens, 42);
    assert.ok(usage.output_tokens > 0);
  });

  it('20: cached tokens are counted once', () => {
    const usage = { prompt_tokens: 100, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 80 } };
    const counted = first(messages({ content: 'a' }, { finish: 'stop', usage }, '[DONE]'), 'message_delta')?.usage;
    assert.deepEqual([counted.input_tokens, counted.cache_read_input_tokens], [20, 80]);
  });

  it('30, 32, 34b: if the upstream fails, the stream ends with a valid error event and no normal end', () => {
    for (const events of [
      messages({ content: 'a' }),
      messages({ content: 'a' }, '{"error":{"message":"no","type":"server_error"}}'),
    ]) {
      assert.deepEqual([events.at(-1)?.type, first(events, 'message_stop')], ['error', undefined]);
      assert.equal(typeof events.at(-1)?.error.message, 'string');
    }
  });

  it('31: a finished answer is complete without [DONE]', () => {
    assert.equal(messages({ content: 'a' }, { finish: 'stop' }).at(-1)?.type, 'message_stop');
  });

  it('33: `error: null` is not an error', () => {
    const wire = chunks({ content: 'a' }, ...END).replaceAll('"object"', '"error":null,"object"');
    assert.equal(jsonOf(translate('chat-completions', 'messages', wire)).at(-1)?.type, 'message_stop');
  });
});

describe('known faults of other gateways, in streams to other clients', () => {
  const said =
    'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":20,"cache_read_input_tokens":80,"output_tokens":1}}}\n\n' +
    'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n' +
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}\n\n' +
    'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n' +
    'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}\n\n';
  const stop = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';

  it('19, 20: the usage chunk is sent only on request, and includes the cached tokens', () => {
    assert.ok(!translate('messages', 'chat-completions', said + stop).includes('prompt_tokens'));
    const asked = translate('messages', 'chat-completions', said + stop, { ...request, includeUsage: true });
    assert.match(asked, /"prompt_tokens":100,"completion_tokens":3,"total_tokens":103.*"cached_tokens":80/);
  });

  it('30: if the upstream fails before the end, [DONE] is never sent', () => {
    const cut = said.slice(0, said.indexOf('event: message_delta'));
    assert.ok(!translate('messages', 'chat-completions', cut).includes('[DONE]'));
  });

  it('35, 36, 37: items start before their deltas and have unique ids and numbers, and the stream ends with `response.completed`', () => {
    const events = jsonOf(
      translate('chat-completions', 'responses', chunks({ content: 'a' }, call(0, 'c', 'f', '{}'), ...END)),
    );
    assert.deepEqual(
      events.map(({ sequence_number: number }) => number),
      events.map((_, place) => place),
    );
    const added = events.filter(({ type }) => type === 'response.output_item.added');
    assert.deepEqual(
      added.map(({ output_index: place, item }) => [place, item?.id.split('_')[0]]),
      [
        [0, 'msg'],
        [1, 'fc'],
      ],
    );
    assert.equal(events.at(-1)?.type, 'response.completed');
    assert.equal(events.at(-1)?.response.output.length, 2);
    assert.match(events[0]?.response.id, /^resp_/);
  });

  it('38b: a failure closes open items, and follows a start event', () => {
    const events = jsonOf(translate('chat-completions', 'responses', chunks({ content: 'a' })));
    assert.deepEqual([events[0]?.type, events.at(-1)?.type], ['response.created', 'response.failed']);
    assert.ok(first(events, 'response.output_item.done'));
  });
});

describe('known faults of other gateways, in requests', () => {
  const through = (from: FormatName, to: FormatName, body: unknown) =>
    JSON.stringify(wireFormats[to].encodeRequest(wireFormats[from].decodeRequest(body)));

  it('24: images are kept, also in tool results', () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'aW1hZ2U=' };
    const content = [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'image', source }] }];
    const turns = [
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
      { role: 'user', content },
    ];
    for (const to of ['chat-completions', 'responses'] as const) {
      assert.match(
        through('messages', to, { model: 'm', max_tokens: 5, messages: turns }),
        /data:image\/png;base64,aW1hZ2U=/,
      );
    }
  });

  it('25: system messages between other messages are kept', () => {
    const turns = [
      { role: 'user', content: 'a' },
      { role: 'system', content: 'be brief' },
    ];
    assert.match(
      through('messages', 'chat-completions', { model: 'm', messages: turns }),
      /"role":"system","content":"be brief"/,
    );
  });

  it('26: empty text is dropped', () => {
    const body = {
      model: 'm',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: '' },
            { type: 'text', text: 'a' },
          ],
        },
      ],
    };
    assert.ok(!through('chat-completions', 'messages', body).includes('"text":""'));
  });

  it('28: the allowed tools and the setting for parallel calls are kept', () => {
    const tools = ['f', 'g'].map((name) => ({ type: 'function', function: { name, parameters: { type: 'object' } } }));
    const allowed = { mode: 'required', tools: [{ type: 'function', function: { name: 'g' } }] };
    const body = {
      model: 'm',
      messages: [],
      tools,
      parallel_tool_calls: false,
      tool_choice: { type: 'allowed_tools', allowed_tools: allowed },
    };
    const sent = JSON.parse(through('chat-completions', 'messages', body));
    assert.deepEqual(sent.tool_choice, { type: 'any', disable_parallel_tool_use: true });
    assert.deepEqual(
      sent.tools.map(({ name }: { name: string }) => name),
      ['g'],
    );
  });
});
