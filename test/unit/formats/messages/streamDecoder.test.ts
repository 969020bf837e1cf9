import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { assembleResponse, type ChatEvent } from '../../../../src/formats/answer.ts';
import { messages } from '../../../../src/formats/messages/index.ts';
import { runs } from '../../../support/randomRuns.ts';
import { readEvents, splits } from '../streams.ts';

const recorded = readFileSync(new URL('fixtures/thinkingAndTools.txt', import.meta.url), 'utf8');

const start = { type: 'message_start', message: { id: 'msg_1', model: 'm', usage: null } };
const stop = { type: 'message_stop' };

interface WireEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Formats events as a server sends them. */
function wire(...events: readonly WireEvent[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

function read(...events: readonly WireEvent[]) {
  return readEvents(messages, wire(start, ...events)).slice(1);
}

function block(index: number, content_block: object) {
  return { type: 'content_block_start', index, content_block };
}

function delta(index: number, change: object) {
  return { type: 'content_block_delta', index, delta: change };
}

function count(events: readonly ChatEvent[], type: ChatEvent['type']): number {
  return events.filter((event) => event.type === type).length;
}

const finish = { type: 'finish', reason: 'stop' };
const finishWithCalls = { type: 'finish', reason: 'toolCalls' };

describe('Stream decoder for the messages format', () => {
  it('reads thinking, text, tool calls and usage of a complete answer', () => {
    assert.deepEqual(assembleResponse(readEvents(messages, recorded)), {
      id: 'msg_01',
      model: 'familya-opus-4.6',
      parts: [
        { type: 'reasoning', text: 'Two files, so two reads.', signature: 'EqQBCgIYAhIM+/==' },
        { type: 'reasoning', text: '', encrypted: 'EmwKAhgB' },
        { type: 'text', text: 'Reading both – 一瞬 🙂' },
        { type: 'toolCall', id: 'toolu_1', name: 'read', arguments: '{"path": "a.ts"}' },
        { type: 'toolCall', id: 'toolu_2', name: 'now', arguments: '{}' },
      ],
      finishReason: 'toolCalls',
      usage: {
        inputTokens: 3112,
        outputTokens: 61,
        cachedInputTokens: 3000,
        cacheWriteTokens: 100,
        reasoningTokens: 20,
        webSearches: 1,
      },
    });
  });

  it('returns the same events for any byte splits, with CRLF and without a space after the colon', () => {
    const whole = readEvents(messages, recorded);
    const spellings = [recorded, recorded.replaceAll('\n', '\r\n'), recorded.replaceAll('data: ', 'data:')];
    fc.assert(
      fc.property(fc.constantFrom(...spellings), splits, (text, sizes) => {
        assert.deepEqual(readEvents(messages, text, sizes), whole);
      }),
    );
  });

  it('emits the usage at the start, and the final usage at the end', () => {
    const usages = readEvents(messages, recorded).filter((event) => event.type === 'usage');
    assert.deepEqual(
      usages.map(({ usage }) => [usage.inputTokens, usage.outputTokens]),
      [
        [3112, 1],
        [3112, 61],
      ],
    );
  });

  it('keeps text and thinking from the start event of their block', () => {
    const events = read(
      block(0, { type: 'thinking', thinking: 'Hm', signature: 'c2ln' }),
      block(1, { type: 'text', text: 'He' }),
      delta(1, { type: 'text_delta', text: 'llo' }),
      stop,
    );
    assert.deepEqual(events, [
      { type: 'reasoningDelta', index: 0, text: 'Hm' },
      { type: 'reasoningSeal', index: 0, signature: 'c2ln' },
      { type: 'textDelta', index: 1, text: 'He' },
      { type: 'textDelta', index: 1, text: 'llo' },
      finish,
    ]);
  });

  it('creates no part for an empty block', () => {
    const events = read(
      block(0, { type: 'text', text: '' }),
      { type: 'content_block_stop', index: 0 },
      block(1, { type: 'text', text: '' }),
      delta(1, { type: 'text_delta', text: 'Hi' }),
      stop,
    );
    assert.deepEqual(events, [{ type: 'textDelta', index: 0, text: 'Hi' }, finish]);
  });

  it('keeps call arguments that are complete in the start event', () => {
    const events = read(
      block(0, { type: 'tool_use', id: 't', name: 'add', input: { a: 1 } }),
      { type: 'content_block_stop', index: 0 },
      stop,
    );
    assert.deepEqual(events, [
      { type: 'toolCallStart', index: 0, id: 't', name: 'add' },
      { type: 'toolCallDelta', index: 0, arguments: '{"a":1}' },
      { type: 'toolCallEnd', index: 0 },
      finishWithCalls,
    ]);
  });

  it('ends calls that the service left open, even if the next one replaces them', () => {
    const events = read(
      block(0, { type: 'tool_use', id: 'a', name: 'f', input: {} }),
      block(0, { type: 'tool_use', id: 'b', name: 'g', input: {} }),
      delta(0, { type: 'input_json_delta', partial_json: '{"x":1}' }),
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      stop,
    );
    assert.deepEqual(events, [
      { type: 'toolCallStart', index: 0, id: 'a', name: 'f' },
      { type: 'toolCallDelta', index: 0, arguments: '{}' },
      { type: 'toolCallEnd', index: 0 },
      { type: 'toolCallStart', index: 1, id: 'b', name: 'g' },
      { type: 'toolCallDelta', index: 1, arguments: '{"x":1}' },
      { type: 'toolCallEnd', index: 1 },
      finishWithCalls,
    ]);
  });

  it('opens a block whose start event is missing', () => {
    assert.deepEqual(read(delta(0, { type: 'text_delta', text: 'Hi' }), stop), [
      { type: 'textDelta', index: 0, text: 'Hi' },
      finish,
    ]);
  });

  it('reports arguments without a call, continues, and does not end cleanly', () => {
    const events = read(delta(3, { type: 'input_json_delta', partial_json: '{' }), stop);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['malformed', 'error'],
    );
  });

  it('reports an event without output that cannot be read, and continues', () => {
    const text = `${wire(start)}data: {"type":"content_block_delta","index":"x"}\n\ndata: nonsense\n\n${wire(stop)}`;
    const [, first, second, last] = readEvents(messages, text);
    assert.ok(first?.type === 'malformed' && first.problem.startsWith('index: '), JSON.stringify(first));
    assert.equal(second?.type, 'malformed');
    assert.deepEqual(last, finish);
  });

  it('reads blocks without the start of the message', () => {
    const types = readEvents(messages, wire(delta(0, { type: 'text_delta', text: 'Hi' }), start, stop));
    assert.deepEqual(
      types.map(({ type }) => type),
      ['start', 'textDelta', 'finish'],
    );
  });

  it('assigns a delta without an index to the block that began last', () => {
    const block = { type: 'content_block_start', index: 3, content_block: { type: 'tool_use', id: 'a', name: 'f' } };
    const piece = { type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: '{}' } };
    const [, , args] = readEvents(messages, wire(start, block, piece, stop));
    assert.deepEqual(args, { type: 'toolCallDelta', index: 0, arguments: '{}' });
  });

  it('ends with an error if the stop reason is unknown', () => {
    const ending = { type: 'message_delta', delta: { stop_reason: 'abort' }, usage: { output_tokens: 3 } };
    const last = readEvents(messages, wire(start, ending, stop)).at(-1);
    assert.ok(last?.type === 'error' && last.error.message.includes('(abort)'));
  });

  it('accepts any events in any order, and ends once, with a finish or an error', () => {
    const index = fc.integer({ min: 0, max: 2 });
    const block = fc.constantFrom<object>(
      { type: 'text', text: '' },
      { type: 'thinking', thinking: 'x' },
      { type: 'redacted_thinking', data: 'x' },
      { type: 'tool_use', id: 'a', name: 'f', input: {} },
      { type: 'other' },
    );
    const change = fc.constantFrom<object>(
      { type: 'text_delta', text: 'x' },
      { type: 'thinking_delta', thinking: 'x' },
      { type: 'signature_delta', signature: 'x' },
      { type: 'input_json_delta', partial_json: '{' },
      { type: 'other_delta' },
    );
    const wireEvent = fc.oneof(
      fc.record({ type: fc.constant('content_block_start'), index, content_block: block }),
      fc.record({ type: fc.constant('content_block_delta'), index, delta: change }),
      fc.record({ type: fc.constant('content_block_stop'), index }),
      fc.constantFrom<WireEvent>({ type: 'message_delta', delta: {} }, { type: 'other' }, { type: 'message_start' }),
      fc.constantFrom<WireEvent>(start, stop),
    );
    fc.assert(
      fc.property(fc.array(wireEvent, { maxLength: 25 }), (events) => {
        const decoded = readEvents(messages, wire(start, ...events));
        const ends = decoded.filter(({ type }) => type === 'finish' || type === 'error');
        assert.deepEqual(ends, decoded.slice(-1));
        const begun = [...new Set(decoded.flatMap((event) => ('index' in event ? [event.index] : [])))];
        assert.deepEqual(begun, [...begun.keys()], 'parts are numbered in the order of their start');
        if (ends[0]?.type === 'finish') assert.equal(count(decoded, 'toolCallEnd'), count(decoded, 'toolCallStart'));
      }),
      { numRuns: runs(300) },
    );
  });

  it('derives the finish reason from the calls, not from a contradicting stop reason', () => {
    const end = (stop_reason: string) => ({ type: 'message_delta', delta: { stop_reason }, usage: null });
    const call = block(0, { type: 'tool_use', id: 'a', name: 'f', input: {} });
    assert.deepEqual(read(call, end('end_turn'), stop).at(-1), finishWithCalls);
    assert.deepEqual(read(end('tool_use'), stop).at(-1), finish);
  });

  it('returns the stop sequence that ended the answer', () => {
    const end = { type: 'message_delta', delta: { stop_reason: 'stop_sequence', stop_sequence: 'END' } };
    assert.deepEqual(read(end, stop), [{ type: 'finish', reason: 'stopSequence', stopSequence: 'END' }]);
  });

  it('treats a stream with a stop reason but without message_stop as complete', () => {
    const events = readEvents(messages, recorded.slice(0, recorded.indexOf('event: message_stop')));
    assert.equal(events.at(-1)?.type, 'finish');
    assert.ok(!events.some(({ type }) => type === 'error'));
  });

  it('reports a stream that closes before its stop reason as truncated', () => {
    const cut = recorded.slice(0, recorded.indexOf('event: message_delta'));
    const last = readEvents(messages, cut).at(-1);
    assert.ok(last?.type === 'error' && last.error.kind === 'network');
    assert.match(last.error.message, /^Connection error: the answer was cut/);
    assert.equal(readEvents(messages, '').at(-1)?.type, 'error');
  });

  it('emits nothing after an error, not even a truncation', () => {
    const failed = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    assert.deepEqual(read(failed, stop), [
      { type: 'error', error: { kind: 'overloaded', message: 'Overloaded', type: 'overloaded_error' } },
    ]);
  });

  it('recognizes an error without a type, and plain text in an error event', () => {
    const untyped = readEvents(messages, 'data: {"error":{"message":"No luck"}}\n\n');
    assert.deepEqual(untyped, [{ type: 'error', error: { kind: 'server', message: 'No luck' } }]);
    const text = readEvents(messages, 'event: error\ndata: Bad gateway\n\n');
    assert.deepEqual(text, [{ type: 'error', error: { kind: 'server', message: 'Bad gateway' } }]);
  });

  it('ignores a null error property', () => {
    const text = `${wire(start)}data: {"type":"ping","error":null}\n\n${wire(stop)}`;
    assert.deepEqual(readEvents(messages, text).slice(1), [finish]);
  });

  it('accepts only one start, and nothing after the stop', () => {
    const late = delta(0, { type: 'text_delta', text: 'late' });
    const text = `${wire(start, start, stop, late, start)}data: [DONE]\n\n`;
    assert.deepEqual(readEvents(messages, text), [{ type: 'start', id: 'msg_1', model: 'm' }, finish]);
  });
});
