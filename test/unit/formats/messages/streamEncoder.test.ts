import assert from 'node:assert/strict';
import type { ChatEvent } from '../../../../src/formats/answer.ts';
import type { ChatRequest } from '../../../../src/formats/conversation.ts';
import { messages } from '../../../../src/formats/messages/index.ts';
import type { Usage } from '../../../../src/formats/usage.ts';

const request: ChatRequest = { model: 'familya-opus-4.6', system: [], messages: [] };
const start: ChatEvent = { type: 'start', id: 'chatcmpl-7', model: 'm' };
const usage: Usage = { inputTokens: 30, outputTokens: 5, cachedInputTokens: 20 };
const finish: ChatEvent = { type: 'finish', reason: 'stop' };

function encoder() {
  return messages.createStreamEncoder({ request, now: 1_790_000_000, inputTokens: 28 });
}

/** Returns what is sent for these events and the end, as the JSON of each event. */
function encode(...events: readonly ChatEvent[]) {
  const stream = encoder();
  return [...events.flatMap((event) => stream.push(event)), ...stream.end()].map(({ event, data }) => {
    const value = JSON.parse(data);
    assert.equal(value.type, event, 'the data repeats the name of the event');
    return value;
  });
}

/** Summarizes the blocks of the wire: each kind of event with its index and content. */
function blocks(...events: readonly ChatEvent[]): string[] {
  return encode(...events).flatMap(({ type, index, content_block, delta }) => {
    if (type === 'content_block_start') return [`${index} ${content_block.type}`];
    if (type === 'content_block_stop') return [`${index} stop`];
    if (type !== 'content_block_delta') return [];
    return [`${index} ${delta.text ?? delta.partial_json ?? delta.thinking ?? delta.signature}`];
  });
}

function call(index: number, name: string): ChatEvent {
  return { type: 'toolCallStart', index, id: `call_${name}`, name };
}

function args(index: number, text: string): ChatEvent {
  return { type: 'toolCallDelta', index, arguments: text };
}

function text(index: number, words: string): ChatEvent {
  return { type: 'textDelta', index, text: words };
}

describe('Stream encoder for the messages format', () => {
  it('begins with a complete message, with numeric usage and the estimated prompt', () => {
    assert.deepEqual(encode(start)[0], {
      type: 'message_start',
      message: {
        id: 'msg_7',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        stop_details: null,
        usage: { input_tokens: 28, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 },
      },
    });
  });

  it('sends every delta immediately, including the first of a block', () => {
    const stream = encoder();
    stream.push(start);
    const sent = stream.push(text(0, 'Hel')).map(({ event }) => event);
    assert.deepEqual(sent, ['content_block_start', 'content_block_delta']);
    assert.equal(stream.push(text(0, 'lo')).length, 1);
  });

  it('opens a block for each part and closes it before the next', () => {
    const sent = blocks(
      start,
      { type: 'reasoningDelta', index: 0, text: 'Hm' },
      { type: 'reasoningSeal', index: 0, signature: 'c2ln' },
      text(1, 'Hi'),
      call(2, 'f'),
      args(2, '{}'),
      { type: 'toolCallEnd', index: 2 },
      finish,
    );
    assert.deepEqual(sent, [
      ...['0 thinking', '0 Hm', '0 c2ln', '0 stop'],
      ...['1 text', '1 Hi', '1 stop'],
      ...['2 tool_use', '2 {}', '2 stop'],
    ]);
  });

  it('holds back later tool calls while one is open and sends them in order', () => {
    const sent = blocks(
      start,
      call(0, 'f'),
      args(0, '{"a'),
      call(1, 'g'),
      args(1, '{"b'),
      args(0, '":1}'),
      args(1, '":2}'),
      { type: 'toolCallEnd', index: 1 },
      { type: 'toolCallEnd', index: 0 },
      finish,
    );
    assert.deepEqual(sent, [
      ...['0 tool_use', '0 {"a', '0 ":1}', '0 stop'],
      ...['1 tool_use', '1 {"b', '1 ":2}', '1 stop'],
    ]);
  });

  it('streams the first open call immediately', () => {
    const stream = encoder();
    stream.push(start);
    stream.push(call(0, 'f'));
    assert.equal(stream.push(args(0, '{"a":')).length, 1);
    assert.equal(stream.push(call(1, 'g')).length, 0);
    assert.equal(stream.push(args(0, '1}')).length, 1);
  });

  it('holds back text that arrives while a call is open', () => {
    const sent = blocks(start, call(0, 'f'), text(1, 'So'), args(0, '{}'), finish);
    assert.deepEqual(sent, ['0 tool_use', '0 {}', '0 stop', '1 text', '1 So', '1 stop']);
  });

  it('closes calls that were not ended', () => {
    const sent = blocks(start, call(0, 'f'), call(1, 'g'), args(1, '{}'), finish);
    assert.deepEqual(sent, ['0 tool_use', '0 stop', '1 tool_use', '1 {}', '1 stop']);
  });

  it('creates no block for empty deltas and sends no delta without a block', () => {
    assert.deepEqual(blocks(start, text(0, ''), args(4, '{}'), finish), []);
    assert.deepEqual(blocks(start, call(0, 'f'), args(0, ''), finish), ['0 tool_use', '0 stop']);
  });

  it('sends encrypted reasoning alone as redacted thinking, and with its text as thinking', () => {
    const sealed = { type: 'reasoningSeal', index: 0, encrypted: 'ZW5j' } as const;
    assert.deepEqual(blocks(start, sealed, finish), ['0 redacted_thinking', '0 stop']);
    const thought = { type: 'reasoningDelta', index: 0, text: 'Hm' } as const;
    const sent = blocks(start, thought, { ...sealed, itemId: 'rs_1' }, finish);
    assert.deepEqual(sent, ['0 thinking', '0 Hm', '0 encrypted:rs_1:ZW5j', '0 stop']);
  });

  it('writes free-form input as one JSON object', () => {
    const start0 = { ...call(0, 'patch'), freeForm: true } as ChatEvent;
    const sent = encode(start, start0, args(0, 'say "hi"\n'), args(0, '\\'), finish);
    const json = sent.map(({ delta }) => delta?.partial_json ?? '').join('');
    assert.deepEqual(JSON.parse(json), { input: 'say "hi"\n\\' });
  });

  it('sends refusals as text', () => {
    assert.deepEqual(blocks(start, { type: 'refusalDelta', index: 0, text: 'No' }, finish), [
      '0 text',
      '0 No',
      '0 stop',
    ]);
  });

  it('sends usage that arrives before the finish, and closes immediately', () => {
    const stream = encoder();
    stream.push(start);
    stream.push({ type: 'usage', usage });
    assert.deepEqual(
      stream.push(finish).map(({ event }) => event),
      ['message_delta', 'message_stop'],
    );
    assert.deepEqual(stream.end(), []);
  });

  it('sends usage that arrives after the finish, with cached tokens counted once', () => {
    const [delta, stop] = encode(start, finish, { type: 'usage', usage }).slice(1);
    assert.deepEqual(delta, {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null, stop_details: null },
      usage: { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 20, output_tokens: 5 },
    });
    assert.deepEqual(stop, { type: 'message_stop' });
  });

  it('waits after the finish if the usage so far has no output tokens', () => {
    const early: Usage = { inputTokens: 30, outputTokens: 0 };
    const sent = encode(start, { type: 'usage', usage: early }, finish, { type: 'usage', usage });
    assert.deepEqual(
      sent.slice(1).map((event) => event.usage?.output_tokens),
      [5, undefined],
    );
  });

  it('closes at the end if there was no usage', () => {
    const types = encode(start, text(0, 'Hi'), finish).map(({ type }) => type);
    assert.deepEqual(types.slice(-3), ['content_block_stop', 'message_delta', 'message_stop']);
  });

  it('reports tool use only if there were calls', () => {
    const reason = (...events: ChatEvent[]) => encode(start, ...events).at(-2)?.delta.stop_reason;
    assert.equal(reason(call(0, 'f'), finish), 'tool_use');
    assert.equal(reason({ type: 'finish', reason: 'toolCalls' }), 'end_turn');
    assert.equal(reason(call(0, 'f'), { type: 'finish', reason: 'length' }), 'max_tokens');
    assert.equal(reason({ type: 'finish', reason: 'contentFilter' }), 'refusal');
  });

  it('ends with an error, never cleanly, if the stream ends before the answer', () => {
    const types = encode(start, text(0, 'Hi')).map(({ type }) => type);
    assert.deepEqual(types.slice(-2), ['content_block_delta', 'error']);
    assert.deepEqual(
      encode().map(({ type }) => type),
      ['error'],
    );
  });

  it('sends an error in the format of the service and nothing after it', () => {
    const error: ChatEvent = { type: 'error', error: { kind: 'overloaded', message: 'Busy', status: 503 } };
    assert.deepEqual(encode(start, error, text(0, 'late'), finish).slice(1), [
      { type: 'error', error: { type: 'overloaded_error', message: 'Busy' } },
    ]);
  });

  it('continues after a malformed event', () => {
    const malformed: ChatEvent = { type: 'malformed', problem: 'The event is not JSON.', data: '{' };
    assert.deepEqual(blocks(start, malformed, text(0, 'Hi'), finish), ['0 text', '0 Hi', '0 stop']);
  });
});
