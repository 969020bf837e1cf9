import assert from 'node:assert/strict';
import type { ChatEvent } from '../../../../src/formats/answer.ts';
import type { ChatRequest } from '../../../../src/formats/conversation.ts';
import { responses } from '../../../../src/formats/responses/index.ts';
import { formatServerSentEvent } from '../../../../src/formats/serverSentEvents.ts';
import { assertWellFormed, jsonOf, type WireEvent } from './wellFormed.ts';

const request: ChatRequest = {
  model: 'familyb-5.2',
  system: [{ type: 'text', text: 'Be brief.' }],
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
  tools: [{ name: 'run', parameters: { type: 'object' }, strict: true }],
  toolChoice: { type: 'required' },
  parallelToolCalls: false,
  maxTokens: 100,
  temperature: 0.5,
  reasoning: { effort: 'low' },
  metadata: { a: 'b' },
  store: false,
  previousResponseId: 'resp_0',
  promptCacheKey: 'session',
};
const start: ChatEvent = { type: 'start', id: 'chatcmpl-7', model: 'm' };
const usage: ChatEvent = { type: 'usage', usage: { inputTokens: 30, outputTokens: 5, cachedInputTokens: 20 } };
const finish: ChatEvent = { type: 'finish', reason: 'stop' };

function encoder() {
  return responses.createStreamEncoder({ request, now: 1_790_000_000 });
}

/** Returns what is sent for these events and the end. */
function encode(...events: readonly ChatEvent[]): WireEvent[] {
  const stream = encoder();
  const sent = [...events.flatMap((event) => stream.push(event)), ...stream.end()];
  return jsonOf(sent.map(formatServerSentEvent).join(''));
}

/** Summarizes the events without the lifecycle: type, position, and content. */
function short(...events: readonly ChatEvent[]): string[] {
  const wire = encode(start, ...events, finish);
  assertWellFormed(wire);
  return wire.slice(2, -1).map(({ type, output_index, content_index, delta, text, item }) => {
    const said = delta ?? text ?? (item && `${item.type} ${item.status}`);
    return [type.replace('response.', ''), output_index, content_index, said].filter((x) => x !== undefined).join(' ');
  });
}

function text(index: number, words: string): ChatEvent {
  return { type: 'textDelta', index, text: words };
}

function call(index: number, id: string): ChatEvent {
  return { type: 'toolCallStart', index, id, name: 'run' };
}

function args(index: number, written: string): ChatEvent {
  return { type: 'toolCallDelta', index, arguments: written };
}

describe('Stream encoder for the responses format', () => {
  it('begins with the answer object, including the requested options', () => {
    const [created, inProgress] = encode(start);
    assert.deepEqual(created?.response, {
      id: 'resp_7',
      object: 'response',
      created_at: 1_790_000_000,
      status: 'in_progress',
      completed_at: null,
      error: null,
      incomplete_details: null,
      model: 'm',
      output: [],
      usage: null,
      instructions: 'Be brief.',
      tools: [
        {
          type: 'function',
          name: 'run',
          parameters: { type: 'object', properties: {} },
          strict: true,
          description: null,
        },
      ],
      tool_choice: 'required',
      parallel_tool_calls: false,
      max_output_tokens: 100,
      temperature: 0.5,
      max_tool_calls: null,
      top_p: 1,
      top_logprobs: 0,
      frequency_penalty: 0,
      presence_penalty: 0,
      reasoning: { effort: 'low', summary: null },
      text: { format: { type: 'text' } },
      previous_response_id: 'resp_0',
      truncation: 'disabled',
      metadata: { a: 'b' },
      store: false,
      background: false,
      service_tier: 'default',
      safety_identifier: null,
      prompt_cache_key: 'session',
      user: null,
    });
    assert.deepEqual(inProgress?.response, created?.response);
  });

  it('opens, fills and closes a message', () => {
    assert.deepEqual(short(text(0, 'Hel'), text(0, 'lo')), [
      'output_item.added 0 message in_progress',
      'content_part.added 0 0',
      'output_text.delta 0 0 Hel',
      'output_text.delta 0 0 lo',
      'output_text.done 0 0 Hello',
      'content_part.done 0 0',
      'output_item.done 0 message completed',
    ]);
  });

  it('sends every delta immediately', () => {
    const stream = encoder();
    stream.push(start);
    assert.equal(stream.push(text(0, 'Hel')).length, 3);
    assert.equal(stream.push(text(0, 'lo')).length, 1);
  });

  it('puts consecutive texts into one message, and reasoning and calls into separate items', () => {
    assert.deepEqual(
      short(
        { type: 'reasoningDelta', index: 0, text: 'Hmm' },
        text(1, 'a'),
        { type: 'refusalDelta', index: 2, text: 'b' },
        { type: 'toolCallStart', index: 3, id: 'call_1', name: 'exec', freeForm: true },
        args(3, 'ls'),
        text(4, 'c'),
        { type: 'toolCallEnd', index: 3 },
      ),
      [
        'output_item.added 0 reasoning in_progress',
        'reasoning_summary_part.added 0',
        'reasoning_summary_text.delta 0 Hmm',
        'reasoning_summary_text.done 0 Hmm',
        'reasoning_summary_part.done 0',
        'output_item.done 0 reasoning completed',
        'output_item.added 1 message in_progress',
        'content_part.added 1 0',
        'output_text.delta 1 0 a',
        'output_text.done 1 0 a',
        'content_part.done 1 0',
        'content_part.added 1 1',
        'refusal.delta 1 1 b',
        'refusal.done 1 1',
        'content_part.done 1 1',
        'output_item.done 1 message completed',
        'output_item.added 2 custom_tool_call in_progress',
        'custom_tool_call_input.delta 2 ls',
        'custom_tool_call_input.done 2',
        'output_item.done 2 custom_tool_call completed',
        'output_item.added 3 message in_progress',
        'content_part.added 3 0',
        'output_text.delta 3 0 c',
        'output_text.done 3 0 c',
        'content_part.done 3 0',
        'output_item.done 3 message completed',
      ],
    );
  });

  it('keeps interleaved calls separate', () => {
    const wire = encode(
      start,
      call(0, 'call_a'),
      call(1, 'call_b'),
      args(1, '{"b":'),
      args(0, '{"a":1}'),
      { type: 'toolCallEnd', index: 0 },
      args(1, '2}'),
      { type: 'toolCallEnd', index: 1 },
      { type: 'finish', reason: 'toolCalls' },
    );
    assertWellFormed(wire);
    const items = wire.flatMap(({ type, item }) => (type === 'response.output_item.done' ? [item] : []));
    const common = { type: 'function_call', status: 'completed', name: 'run' };
    assert.deepEqual(items, [
      { ...common, id: 'fc_7_0', call_id: 'call_a', arguments: '{"a":1}' },
      { ...common, id: 'fc_7_1', call_id: 'call_b', arguments: '{"b":2}' },
    ]);
  });

  it('keeps only one item open at a time, even if parts overlap', () => {
    assert.deepEqual(
      short(
        call(0, 'call_a'),
        call(1, 'call_b'),
        args(1, '{"b":'),
        args(0, '{"a":1}'),
        text(2, 'Behind'),
        args(1, '2}'),
        { type: 'toolCallEnd', index: 1 },
        { type: 'toolCallEnd', index: 0 },
      ),
      [
        'output_item.added 0 function_call in_progress',
        'function_call_arguments.delta 0 {"a":1}',
        'function_call_arguments.done 0',
        'output_item.done 0 function_call completed',
        'output_item.added 1 function_call in_progress',
        'function_call_arguments.delta 1 {"b":',
        'function_call_arguments.delta 1 2}',
        'function_call_arguments.done 1',
        'output_item.done 1 function_call completed',
        'output_item.added 2 message in_progress',
        'content_part.added 2 0',
        'output_text.delta 2 0 Behind',
        'output_text.done 2 0 Behind',
        'content_part.done 2 0',
        'output_item.done 2 message completed',
      ],
    );
  });

  it('includes a refusal that waits for a call to end', () => {
    const refusal: ChatEvent = { type: 'refusalDelta', index: 1, text: 'No' };
    const last = encode(start, call(0, 'call_a'), refusal, { type: 'finish', reason: 'refusal' }).at(-1);
    assert.equal(last?.type, 'response.completed');
    assert.deepEqual(
      last?.response.output.map(({ type }: { type: string }) => type),
      ['function_call', 'message'],
    );
  });

  it('keeps item ids and namespaces', () => {
    const items = encode(
      start,
      { type: 'reasoningDelta', index: 0, text: 'Hmm', itemId: 'rs_own' },
      { type: 'reasoningSeal', index: 0, encrypted: 'gAAA', itemId: 'rs_own' },
      { type: 'toolCallStart', index: 1, id: 'call_1', itemId: 'other', name: 'close', namespace: 'agents' },
      { type: 'toolCallEnd', index: 1 },
      finish,
    ).at(-1)?.response.output;
    const summary = [{ type: 'summary_text', text: 'Hmm' }];
    assert.deepEqual(items, [
      { id: 'rs_own', type: 'reasoning', summary, encrypted_content: 'gAAA', status: 'completed' },
      {
        id: 'fc_other',
        type: 'function_call',
        status: 'completed',
        call_id: 'call_1',
        name: 'close',
        namespace: 'agents',
        arguments: '{}',
      },
    ]);
  });

  it('writes reasoning without text as an item without a summary', () => {
    assert.deepEqual(short({ type: 'reasoningSeal', index: 0, encrypted: 'gAAA' }), [
      'output_item.added 0 reasoning in_progress',
      'output_item.done 0 reasoning completed',
    ]);
  });

  it('creates no item for empty text', () => {
    assert.deepEqual(short(text(0, ''), { type: 'reasoningDelta', index: 1, text: '' }), []);
  });

  const ends: readonly (readonly [string, string, string | undefined])[] = [
    ['stop', 'response.completed', undefined],
    ['stopSequence', 'response.completed', undefined],
    ['pause', 'response.completed', undefined],
    ['toolCalls', 'response.completed', undefined],
    ['length', 'response.incomplete', 'max_output_tokens'],
    ['contextWindow', 'response.incomplete', 'max_output_tokens'],
    ['contentFilter', 'response.incomplete', 'content_filter'],
    ['refusal', 'response.incomplete', 'content_filter'],
  ];
  for (const [reason, type, detail] of ends) {
    it(`ends with ${type} for finish reason ${reason}`, () => {
      const last = encode(start, text(0, 'Hi'), { type: 'finish', reason } as ChatEvent).at(-1);
      assert.equal(last?.type, type);
      assert.equal(last?.response.status, type.replace('response.', ''));
      assert.equal(last?.response.incomplete_details?.reason, detail);
      assert.equal(last?.response.output[0].status, type.replace('response.', ''));
    });
  }

  it('treats a refusal with text as a completed answer', () => {
    const refusal: ChatEvent = { type: 'refusalDelta', index: 0, text: 'No' };
    assert.equal(encode(start, refusal, { type: 'finish', reason: 'refusal' }).at(-1)?.type, 'response.completed');
  });

  it('waits for usage after the finish, but closes the items immediately', () => {
    const stream = encoder();
    for (const event of [start, text(0, 'Hi')]) stream.push(event);
    assert.equal(stream.push(finish).at(-1)?.event, 'response.output_item.done');
    const [last, ...more] = stream.push(usage);
    assert.deepEqual(JSON.parse(last?.data ?? '').response.usage, {
      input_tokens: 30,
      input_tokens_details: { cached_tokens: 20, cache_write_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 35,
    });
    assert.deepEqual([more, stream.end()], [[], []]);
  });

  it('does not wait if usage arrived before, and ignores an initial count of zero', () => {
    const counted = encoder();
    for (const event of [start, text(0, 'Hi'), usage]) counted.push(event);
    assert.equal(counted.push(finish).at(-1)?.event, 'response.completed');
    const zero: ChatEvent = { type: 'usage', usage: { inputTokens: 0, outputTokens: 0 } };
    assert.equal(encode(start, zero, finish, usage).at(-1)?.response.usage.total_tokens, 35);
  });

  it('reports missing usage as null instead of zero', () => {
    assert.equal(encode(start, finish).at(-1)?.response.usage, null);
  });

  it('closes an open message before a failure, but never an incomplete call', () => {
    const failure: ChatEvent = { type: 'error', error: { kind: 'overloaded', message: 'Busy' } };
    const closedIn = (...events: ChatEvent[]) => {
      const wire = encode(start, ...events, failure);
      assertWellFormed(wire);
      assert.equal(wire.at(-1)?.response.status, 'failed');
      return wire.flatMap(({ type, item }) =>
        type === 'response.output_item.done' ? [`${item?.type} ${item?.status}`] : [],
      );
    };
    assert.deepEqual(closedIn(text(0, 'Hal')), ['message incomplete']);
    const calls = [call(0, 'call_a'), args(0, '{"path":"/tm'), call(1, 'call_b'), args(1, '{}')];
    assert.deepEqual(closedIn(...calls), []);
    assert.deepEqual(closedIn(...calls, { type: 'toolCallEnd', index: 0 }), ['function_call completed']);
  });

  const failures = [
    ['network', 'server_error'],
    ['timeout', 'server_error'],
    ['overloaded', 'server_error'],
    ['server', 'server_error'],
    ['rateLimit', 'rate_limit_exceeded'],
    ['invalidRequest', 'invalid_prompt'],
  ] as const;
  for (const [kind, code] of failures) {
    it(`reports a failure of kind ${kind} with the format’s own code, ${code}`, () => {
      const wire = encode(start, { type: 'error', error: { kind, message: 'Oops', status: 529 } });
      assert.deepEqual(wire.at(-1)?.response.error, { code, message: 'Oops' });
      const event = wire.at(-2);
      assert.deepEqual([event?.type, event?.error.code, event?.error.message], ['error', code, 'Oops']);
    });
  }

  it('sends a bare error if the answer has not started', () => {
    const error: ChatEvent = { type: 'error', error: { kind: 'rateLimit', message: 'Slow' } };
    const members = { code: 'rate_limit_exceeded', message: 'Slow', param: null };
    assert.deepEqual(encode(error), [
      { type: 'error', sequence_number: 0, ...members, error: { type: 'rate_limit_error', ...members } },
    ]);
  });

  it('sends nothing after an error', () => {
    const error: ChatEvent = { type: 'error', error: { kind: 'server', message: 'Oops' } };
    const wire = encode(start, error, text(0, 'late'), finish, usage);
    assert.equal(wire.at(-1)?.type, 'response.failed');
    assert.equal(wire.length, 4);
  });

  it('never ends cleanly without a finish event', () => {
    const last = encode(start, text(0, 'Hal')).at(-1);
    assert.equal(last?.type, 'response.failed');
    assert.match(last?.response.error.message, /cut/);
    assert.equal(encode()[0]?.type, 'error');
  });

  it('skips malformed events', () => {
    const malformed: ChatEvent = { type: 'malformed', problem: 'not JSON', data: '{' };
    assert.deepEqual(encode(start, malformed, finish), encode(start, finish));
  });
});
