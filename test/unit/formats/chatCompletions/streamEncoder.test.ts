import assert from 'node:assert/strict';
import type { ChatEvent } from '../../../../src/formats/answer.ts';
import { chatCompletions } from '../../../../src/formats/chatCompletions/index.ts';
import type { ChatRequest } from '../../../../src/formats/conversation.ts';

const START: ChatEvent = { type: 'start', id: 'msg_1', model: 'familya-sonnet-4.6' };
const FINISH: ChatEvent = { type: 'finish', reason: 'stop' };
const USAGE: ChatEvent = { type: 'usage', usage: { inputTokens: 9, outputTokens: 3, cachedInputTokens: 4 } };
const TEXT: ChatEvent = { type: 'textDelta', index: 0, text: 'Hi' };

const WIRE_USAGE = {
  prompt_tokens: 9,
  completion_tokens: 3,
  total_tokens: 12,
  prompt_tokens_details: { cached_tokens: 4 },
};

function createEncoder(includeUsage = false) {
  const request: ChatRequest = { model: 'm', system: [], messages: [], ...(includeUsage && { includeUsage }) };
  return chatCompletions.createStreamEncoder({ request, now: 1_790_000_000.7 });
}

/** Returns the parsed data of all events, and the end marker as text. */
function encode(events: readonly ChatEvent[], includeUsage = false) {
  const encoder = createEncoder(includeUsage);
  const sent = [...events.flatMap((event) => encoder.push(event)), ...encoder.end()];
  return sent.map(({ data }) => (data === '[DONE]' ? data : JSON.parse(data)));
}

/** Returns only the deltas and finish reasons of the first choice. */
function deltas(events: readonly ChatEvent[]) {
  return encode(events).flatMap(
    (chunk) =>
      chunk.choices?.map(
        ({ delta, finish_reason }: { delta: object; finish_reason: string | null }) => finish_reason ?? delta,
      ) ?? [],
  );
}

describe('Chat-completions stream encoder', () => {
  it('begins with the role and ends with the finish reason and the end marker', () => {
    const head = {
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_790_000_000,
      model: 'familya-sonnet-4.6',
    };
    const choice = (delta: object, reason: string | null = null) => ({
      ...head,
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
    assert.deepEqual(encode([START, TEXT, FINISH]), [
      choice({ role: 'assistant', content: '' }),
      choice({ content: 'Hi' }),
      choice({}, 'stop'),
      '[DONE]',
    ]);
  });

  it('keeps the id and the time of the answer', () => {
    const start: ChatEvent = { ...START, id: 'chatcmpl-x', createdAt: 5 };
    const [first] = encode([start, FINISH]);
    assert.deepEqual([first.id, first.created], ['chatcmpl-x', 5]);
  });

  it('numbers tool calls separately and allows them to interleave', () => {
    assert.deepEqual(
      deltas([
        START,
        TEXT,
        { type: 'toolCallStart', index: 1, id: 'a', name: 'f' },
        { type: 'toolCallDelta', index: 1, arguments: '{"x"' },
        { type: 'toolCallStart', index: 2, id: 'b', name: 'patch', freeForm: true },
        { type: 'toolCallDelta', index: 2, arguments: 'text' },
        { type: 'toolCallDelta', index: 1, arguments: ':1}' },
        { type: 'toolCallEnd', index: 1 },
        { type: 'toolCallEnd', index: 2 },
        { type: 'finish', reason: 'toolCalls' },
      ]).slice(2),
      [
        { tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }] },
        { tool_calls: [{ index: 0, function: { arguments: '{"x"' } }] },
        { tool_calls: [{ index: 1, id: 'b', type: 'custom', custom: { name: 'patch', input: '' } }] },
        { tool_calls: [{ index: 1, custom: { input: 'text' } }] },
        { tool_calls: [{ index: 0, function: { arguments: ':1}' } }] },
        'tool_calls',
      ],
    );
  });

  it('writes an empty object for a call without arguments', () => {
    const call: ChatEvent = { type: 'toolCallStart', index: 0, id: 'a', name: 'f' };
    assert.deepEqual(deltas([START, call, { type: 'toolCallEnd', index: 0 }, FINISH]).at(-2), {
      tool_calls: [{ index: 0, function: { arguments: '{}' } }],
    });
  });

  it('sends reasoning as text, and with its signature in the details', () => {
    assert.deepEqual(
      deltas([
        START,
        { type: 'reasoningDelta', index: 0, text: 'Hm' },
        { type: 'reasoningSeal', index: 0, signature: 'c2ln' },
        { type: 'reasoningSeal', index: 1, encrypted: 'ZW5j', itemId: 'rs_1' },
        FINISH,
      ]).slice(1, -1),
      [
        { reasoning_content: 'Hm', reasoning_details: [{ type: 'reasoning.text', text: 'Hm', index: 0 }] },
        { reasoning_details: [{ type: 'reasoning.text', signature: 'c2ln', index: 0 }] },
        { reasoning_details: [{ type: 'reasoning.encrypted', data: 'ZW5j', index: 1, id: 'rs_1' }] },
      ],
    );
  });

  it('sends nothing for empty deltas and malformed events', () => {
    const silent: ChatEvent[] = [
      { ...TEXT, text: '' },
      { type: 'reasoningDelta', index: 1, text: '' },
      { type: 'refusalDelta', index: 2, text: '' },
      { type: 'reasoningSeal', index: 1, itemId: 'rs_1' },
      { type: 'malformed', problem: 'p', data: 'd' },
    ];
    assert.deepEqual(encode([START, ...silent, FINISH]), encode([START, FINISH]));
  });

  describe('with usage', () => {
    it('sends a separate chunk at the end on request, and null before it', () => {
      for (const tail of [
        [USAGE, FINISH],
        [FINISH, USAGE],
      ]) {
        const chunks = encode([START, TEXT, ...tail], true);
        assert.equal(chunks.at(-1), '[DONE]');
        assert.deepEqual(chunks.at(-2).usage, WIRE_USAGE);
        assert.deepEqual(chunks.at(-2).choices, []);
        assert.deepEqual(
          chunks.slice(0, -2).map(({ usage }) => usage),
          [null, null, null],
        );
      }
    });

    it('sends none if it was not requested', () => {
      for (const chunk of encode([START, TEXT, USAGE, FINISH])) assert.equal(Object.hasOwn(chunk, 'usage'), false);
    });

    it('closes the stream as soon as it is known, without waiting for the upstream to close', () => {
      const encoder = createEncoder(true);
      const sent = [START, TEXT, FINISH, USAGE].flatMap((event) => encoder.push(event));
      assert.equal(sent.at(-1)?.data, '[DONE]');
      assert.deepEqual(encoder.end(), []);
    });

    it('does not delay the end for a client that did not request it', () => {
      const encoder = createEncoder();
      const sent = [START, TEXT, FINISH].flatMap((event) => encoder.push(event));
      assert.equal(sent.at(-1)?.data, '[DONE]');
    });

    it('omits it at the end if the upstream did not report it', () => {
      assert.deepEqual(
        encode([START, TEXT, FINISH], true)
          .slice(-2)
          .map((chunk) => chunk.choices?.[0].finish_reason),
        ['stop', undefined],
      );
    });
  });

  describe('with failures', () => {
    it('ends with an error, without the end marker and with nothing after it', () => {
      const error: ChatEvent = {
        type: 'error',
        error: { kind: 'overloaded', message: 'Busy', type: 'overloaded_error' },
      };
      const chunks = encode([START, TEXT, error, TEXT, USAGE, FINISH]);
      assert.equal(chunks.length, 3);
      assert.deepEqual(chunks[2], {
        error: { message: 'Busy', type: 'server_error', param: null, code: 'overloaded' },
      });
    });

    it('never ends cleanly if the finish event is missing', () => {
      for (const events of [[], [START], [START, TEXT, USAGE]]) {
        const chunks = encode(events, true);
        assert.equal(chunks.at(-1).error.code, 'connection_error');
        assert.equal(chunks.includes('[DONE]'), false);
      }
    });
  });

  const reasons = [
    ['stopSequence', 'stop'],
    ['pause', 'stop'],
    ['length', 'length'],
    ['contextWindow', 'length'],
    ['toolCalls', 'tool_calls'],
    ['refusal', 'content_filter'],
    ['contentFilter', 'content_filter'],
  ] as const;
  for (const [reason, wire] of reasons) {
    it(`writes finish reason ${reason} as ${wire}`, () => {
      assert.equal(deltas([START, { type: 'finish', reason }]).at(-1), wire);
    });
  }
});
