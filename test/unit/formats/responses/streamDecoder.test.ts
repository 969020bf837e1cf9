import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { assembleResponse, type ChatEvent } from '../../../../src/formats/answer.ts';
import { responses } from '../../../../src/formats/responses/index.ts';
import { readEvents, splits } from '../streams.ts';

const recorded = readFileSync(new URL('./fixtures/reasoningAndTools.txt', import.meta.url), 'utf8');

/** Returns the events of the stream, including the end of the connection. */
function decode(...events: readonly (object | string)[]): ChatEvent[] {
  const text = events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
  return readEvents(responses, text.join(''));
}

/** Returns the same events without the start. */
function decodeParts(...events: readonly (object | string)[]): ChatEvent[] {
  return decode(created, ...events).slice(1);
}

const created = { type: 'response.created', response: { id: 'resp_1', model: 'm', created_at: 5 } };
const completed = { type: 'response.completed', response: { id: 'resp_1', model: 'm', status: 'completed' } };
const finish: ChatEvent = { type: 'finish', reason: 'stop' };

function added(output_index: number, item: object) {
  return { type: 'response.output_item.added', output_index, item };
}

function done(output_index: number, item: object) {
  return { type: 'response.output_item.done', output_index, item };
}

function words(output_index: number, delta: string, content_index = 0) {
  return { type: 'response.output_text.delta', item_id: 'any', output_index, content_index, delta };
}

const message = { type: 'message', id: 'msg_1', role: 'assistant', content: [] };
const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'run', arguments: '' };

function args(output_index: number, delta: string) {
  return { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index, delta };
}

describe('Stream decoder for the responses format', () => {
  it('reads a recorded stream of reasoning, text and interleaved calls', () => {
    assert.deepEqual(assembleResponse(readEvents(responses, recorded)), {
      id: 'resp_68a1',
      model: 'familyb-5.2',
      createdAt: 1_790_000_000,
      parts: [
        {
          type: 'reasoning',
          text: '**Looking**\n\nThen calling both – naïvely.',
          encrypted: 'gAAAAABo',
          itemId: 'rs_1',
        },
        {
          type: 'text',
          text: 'I look it up: ☔',
          citations: [{ citation: { url: 'https://example.com', title: 't' }, span: { start: 0, end: 1 } }],
        },
        { type: 'toolCall', id: 'call_1', name: 'weather', arguments: '{"city": "Bern"}', itemId: 'fc_1' },
        {
          type: 'toolCall',
          id: 'call_2',
          name: 'exec',
          namespace: 'functions',
          freeForm: true,
          arguments: 'date -u',
          itemId: 'ctc_1',
        },
      ],
      finishReason: 'toolCalls',
      usage: { inputTokens: 120, outputTokens: 40, cachedInputTokens: 64, reasoningTokens: 17, webSearches: 1 },
    });
  });

  it('reads it identically however its bytes are split, and with other line endings', () => {
    const expected = readEvents(responses, recorded);
    fc.assert(fc.property(splits, (cuts) => assert.deepEqual(readEvents(responses, recorded, cuts), expected)));
    assert.deepEqual(readEvents(responses, recorded.replaceAll('\n', '\r\n')), expected);
  });

  it('reads the same answer as from the complete answer in its last event', () => {
    const last = recorded.trimEnd().split('data: ').at(-1) ?? '';
    const { dropped, ...whole } = responses.decodeResponse(JSON.parse(last).response);
    assert.deepEqual(assembleResponse(readEvents(responses, recorded)), whole);
    assert.deepEqual(dropped, ['web_search_call']);
  });

  it('emits each delta as it arrives, including the first', () => {
    assert.deepEqual(decode(created, added(0, message), words(0, 'Hel'), words(0, 'lo'), completed), [
      { type: 'start', id: 'resp_1', model: 'm', createdAt: 5 },
      { type: 'textDelta', index: 0, text: 'Hel' },
      { type: 'textDelta', index: 0, text: 'lo' },
      finish,
    ]);
  });

  it('creates no part for an empty item', () => {
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [] };
    const empty = { ...message, content: [{ type: 'output_text', text: '' }] };
    const events = [added(0, reasoning), done(0, reasoning), added(1, empty), words(1, ''), done(1, empty)];
    assert.deepEqual(decodeParts(...events, completed), [finish]);
  });

  it('accepts text for which no item was opened', () => {
    assert.deepEqual(decodeParts(words(0, 'Hi'), completed), [{ type: 'textDelta', index: 0, text: 'Hi' }, finish]);
  });

  it('adds what the deltas omitted from the events that repeat the complete content', () => {
    const events = decodeParts(
      added(0, message),
      words(0, 'Hel'),
      { type: 'response.output_text.done', output_index: 0, content_index: 0, text: 'Hello' },
      done(0, { ...message, content: [{ type: 'output_text', text: 'Hello!' }] }),
      added(1, call),
      done(1, { ...call, arguments: '{"a":1}' }),
      completed,
    );
    assert.deepEqual(events, [
      { type: 'textDelta', index: 0, text: 'Hel' },
      { type: 'textDelta', index: 0, text: 'lo' },
      { type: 'textDelta', index: 0, text: '!' },
      { type: 'toolCallStart', index: 1, id: 'call_1', name: 'run', itemId: 'fc_1' },
      { type: 'toolCallDelta', index: 1, arguments: '{"a":1}' },
      { type: 'toolCallEnd', index: 1 },
      { type: 'finish', reason: 'toolCalls' },
    ]);
  });

  it('reads the complete answer from the last event if nothing came before', () => {
    const output = [
      { ...message, content: [{ type: 'output_text', text: 'Hi' }] },
      { ...call, arguments: '{}' },
    ];
    const events = decode({ type: 'response.completed', response: { id: 'resp_1', model: 'm', output } });
    assert.deepEqual(assembleResponse(events).parts, [
      { type: 'text', text: 'Hi' },
      { type: 'toolCall', id: 'call_1', name: 'run', arguments: '{}', itemId: 'fc_1' },
    ]);
  });

  it('distinguishes calls by their output index, whatever the ids of their events', () => {
    const second = { ...call, id: 'fc_2', call_id: 'call_2' };
    const events = decodeParts(
      added(0, call),
      added(1, second),
      { ...args(1, '{"b":'), item_id: 'x' },
      { ...args(0, '{}'), item_id: 'y' },
      args(1, '2}'),
      done(1, { ...second, arguments: '{"b":2}' }),
      done(0, { ...call, arguments: '{}' }),
      completed,
    );
    const { parts } = assembleResponse([{ type: 'start', id: 'resp_1', model: 'm' }, ...events]);
    assert.deepEqual(
      parts.map((part) => part.type === 'toolCall' && [part.id, part.arguments]),
      [
        ['call_1', '{}'],
        ['call_2', '{"b":2}'],
      ],
    );
  });

  it('ends calls that the service left open', () => {
    assert.deepEqual(decodeParts(added(0, call), args(0, '{}'), completed).slice(-2), [
      { type: 'toolCallEnd', index: 0 },
      { type: 'finish', reason: 'toolCalls' },
    ]);
  });

  it('uses the summary or the reasoning text, whichever arrives first', () => {
    const place = { item_id: 'rs_1', output_index: 0 };
    const events = decodeParts(
      added(0, { type: 'reasoning', id: 'rs_1', summary: [] }),
      { type: 'response.reasoning_text.delta', ...place, content_index: 0, delta: 'Hmm' },
      { type: 'response.reasoning_summary_text.delta', ...place, summary_index: 0, delta: 'Thought' },
      done(0, { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Thought' }] }),
      completed,
    );
    assert.deepEqual(events, [
      { type: 'reasoningDelta', index: 0, text: 'Hmm', itemId: 'rs_1' },
      { type: 'reasoningSeal', index: 0, itemId: 'rs_1' },
      finish,
    ]);
  });

  it('reads refusals, and reports them in the finish reason', () => {
    const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
    assert.deepEqual(decodeParts({ type: 'response.refusal.delta', ...place, delta: 'No' }, completed), [
      { type: 'refusalDelta', index: 0, text: 'No' },
      { type: 'finish', reason: 'refusal' },
    ]);
  });

  const ends: readonly (readonly [string, string])[] = [
    ['max_output_tokens', 'length'],
    ['content_filter', 'contentFilter'],
  ];
  for (const [reason, expected] of ends) {
    it(`reads the end of an answer that is incomplete because of ${reason}`, () => {
      const response = { id: 'resp_1', model: 'm', status: 'incomplete', incomplete_details: { reason } };
      const last = decodeParts(words(0, 'Hi'), { type: 'response.incomplete', response }).at(-1);
      assert.deepEqual(last, { type: 'finish', reason: expected });
    });
  }

  it('accepts partial usage, and emits none if nothing was counted', () => {
    const usageOf = (usage: object | null) =>
      decodeParts({ ...completed, response: { ...completed.response, usage } }).filter(({ type }) => type === 'usage');
    assert.deepEqual(usageOf({ input_tokens: 3, output_tokens: null }), [
      { type: 'usage', usage: { inputTokens: 3, outputTokens: 0 } },
    ]);
    assert.deepEqual(usageOf(null), []);
    assert.deepEqual(usageOf({}), []);
  });

  it('reports malformed events and continues', () => {
    const events = decodeParts('{"type":', words(0, 'Hi'), { warning: 'x' }, completed);
    assert.deepEqual(
      events.map((event) => event.type),
      ['malformed', 'textDelta', 'malformed', 'error'],
    );
    assert.deepEqual(decodeParts('nonsense', words(0, 'Hi'), completed).slice(1), [
      { type: 'textDelta', index: 0, text: 'Hi' },
      finish,
    ]);
  });

  it('skips events of unknown types', () => {
    assert.deepEqual(
      decodeParts({ type: 'response.of_the_future', output_index: 0 }, { type: 'keepalive' }, completed),
      [finish],
    );
  });

  it('emits nothing after the end', () => {
    assert.deepEqual(decodeParts(completed, words(0, 'late'), completed, '[DONE]'), [finish]);
  });

  const failures: readonly (readonly [string, object])[] = [
    [
      'a failed answer',
      { type: 'response.failed', response: { error: { code: 'rate_limit_exceeded', message: 'Slow' } } },
    ],
    ['an error event', { type: 'error', code: 'rate_limit_exceeded', message: 'Slow', param: null }],
    ['an error within an error event', { type: 'error', error: { code: 'rate_limit_exceeded', message: 'Slow' } }],
    ['an error without a type', { error: { code: 'rate_limit_exceeded', message: 'Slow' } }],
  ];
  for (const [what, failure] of failures) {
    it(`reads ${what}, and nothing after it`, () => {
      assert.deepEqual(decodeParts(words(0, 'Hi'), failure, words(0, '!'), completed).slice(1), [
        { type: 'error', error: { kind: 'rateLimit', message: 'Slow', code: 'rate_limit_exceeded' } },
      ]);
    });
  }

  it('reads the whole usage of a failed answer', () => {
    const response = { error: { message: 'Slow' }, usage: { input_tokens: 8, output_tokens: 2 } };
    assert.deepEqual(decodeParts(words(0, 'Hi'), { type: 'response.failed', response }).slice(-2), [
      { type: 'usage', usage: { inputTokens: 8, outputTokens: 2 }, isPartial: false },
      { type: 'error', error: { kind: 'server', message: 'Slow' } },
    ]);
  });

  it('recognizes an event named error, whatever its data', () => {
    const [event] = readEvents(responses, 'event: error\ndata: upstream is down\n\n');
    assert.deepEqual(event, { type: 'error', error: { kind: 'server', message: 'upstream is down' } });
  });

  it('ignores a null error', () => {
    assert.deepEqual(decodeParts({ ...completed, response: { ...completed.response, error: null } }), [finish]);
  });

  it('reports a stream that closes before its end, even after [DONE]', () => {
    for (const events of [[words(0, 'Hi')], [words(0, 'Hi'), '[DONE]'], []]) {
      const last = decodeParts(...events).at(-1);
      assert.equal(last?.type === 'error' && last.error.kind, 'network');
    }
  });
});
