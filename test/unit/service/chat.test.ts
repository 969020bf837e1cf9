import assert from 'node:assert/strict';
import { assembleResponse, type ChatEvent } from '../../../src/formats/answer.ts';
import { type ChatRequest, FORMAT_NAMES, type FormatName } from '../../../src/formats/conversation.ts';
import { wireFormats } from '../../../src/formats/index.ts';
import { streamChat, withCacheHints } from '../../../src/service/chat.ts';
import {
  type Answer,
  answerJson,
  answerStream,
  eventStreamOf,
  ScriptedService,
  type StreamScript,
} from '../../support/scriptedService.ts';
import * as wire from './wire.ts';

const REQUEST: ChatRequest = {
  model: 'familya-sonnet-4.6',
  system: [{ type: 'text', text: 'Be brief.' }],
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
  maxTokens: 100,
};

const USAGE = { input_tokens: 5, output_tokens: 3 };

/** One answer, “Good day.”, as a stream in each format. */
const STREAMS: Readonly<Record<FormatName, readonly (object | string)[]>> = {
  'chat-completions': [
    wire.chunk({ role: 'assistant', content: '' }),
    wire.chunk({ content: 'Good ' }),
    wire.chunk({ content: 'day.' }),
    wire.chunk({}, 'stop'),
    {
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'familya-sonnet-4.6',
      choices: [],
      usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
    },
    '[DONE]',
  ],
  messages: [
    {
      type: 'message_start',
      message: { ...wire.message, content: [], stop_reason: null, usage: { ...USAGE, output_tokens: 1 } },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Good ' } },
    { type: 'ping' },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'day.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ],
  responses: responsesStream(),
};

function responsesStream(): object[] {
  const begun = { ...wire.response, status: 'in_progress', output: [], usage: null };
  const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] };
  const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  const events = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.content_part.added', ...place, part: { type: 'output_text', text: '', annotations: [] } },
    { type: 'response.output_text.delta', ...place, delta: 'Good ' },
    { type: 'response.output_text.delta', ...place, delta: 'day.' },
    { type: 'response.output_text.done', ...place, text: 'Good day.' },
    { type: 'response.content_part.done', ...place, part: { type: 'output_text', text: 'Good day.', annotations: [] } },
    { type: 'response.output_item.done', output_index: 0, item: wire.response.output[0] },
    { type: 'response.completed', response: wire.response },
  ];
  return events.map((event, index) => ({ ...event, sequence_number: index }));
}

/** Number of events that make an answer that has started but not ended. */
const BEGINNING: Readonly<Record<FormatName, number>> = { 'chat-completions': 2, messages: 3, responses: 5 };

describe('streamChat', () => {
  let service: ScriptedService;
  afterEach(() => service.close());

  async function chat(format: FormatName, answer: Answer, signal?: AbortSignal): Promise<AsyncGenerator<ChatEvent>> {
    service = await ScriptedService.start(answer);
    return streamChat(wire.clientOf(service), format, REQUEST, { signal, retries: 0 });
  }

  function streamed(format: FormatName, count?: number, script?: StreamScript): Answer {
    return answerStream(eventStreamOf(...STREAMS[format].slice(0, count)), script);
  }

  it('yields calls under the names of the request if the service accepts only shorter ones', async () => {
    const name = 'mcp__issue-tracker__search_issues_by_label_and_milestone';
    service = await ScriptedService.start((response, request) => {
      const { tools } = JSON.parse(request.body);
      const sent = tools[0].function.name;
      const call = { index: 0, id: 'call_1', type: 'function', function: { name: sent, arguments: '{}' } };
      const events = [wire.chunk({ role: 'assistant', tool_calls: [call] }), wire.chunk({}, 'tool_calls'), '[DONE]'];
      const words = 'tools.0.function.name: String should have at most 40 characters';
      const answer =
        sent.length > 40 ? answerJson({ error: { message: words } }, 400) : answerStream(eventStreamOf(...events));
      return answer(response, request);
    });
    const tools = [{ name, parameters: { type: 'object' as const } }];
    const client = wire.clientOf(service);
    for (const count of [2, 3]) {
      const events = streamChat(client, 'chat-completions', { ...REQUEST, tools }, { retries: 0 });
      const { parts } = assembleResponse(await wire.collect(events));
      assert.deepEqual([parts[0]?.type === 'toolCall' && parts[0].name, service.requests.length], [name, count]);
    }
  });

  for (const format of FORMAT_NAMES) {
    describe(`in the ${format} format`, () => {
      it('requests a stream at the path of the format', async () => {
        await wire.collect(await chat(format, streamed(format)));
        const { path, body } = await service.request();
        assert.equal(path, `/api/v1${wireFormats[format].path}`);
        const sent: ChatRequest = wireFormats[format].decodeRequest(JSON.parse(body));
        const expected = format === 'messages' ? withCacheHints(REQUEST) : REQUEST;
        assert.deepEqual(
          [sent.stream, sent.model, sent.system, sent.messages],
          [true, REQUEST.model, expected.system, expected.messages],
        );
      });

      it('yields the answer with its usage', async () => {
        const answer = assembleResponse(
          await wire.collect(await chat(format, streamed(format, undefined, { pieceBytes: 11 }))),
        );
        assert.deepEqual(answer.parts, [{ type: 'text', text: 'Good day.' }]);
        assert.equal(answer.finishReason, 'stop');
        assert.deepEqual([answer.usage?.inputTokens, answer.usage?.outputTokens], [5, 3]);
      });

      it('yields the same from a service without streaming', async () => {
        const whole = { 'chat-completions': wire.completion, messages: wire.message, responses: wire.response }[format];
        const answer = assembleResponse(await wire.collect(await chat(format, answerJson(whole))));
        assert.deepEqual(answer.parts, [{ type: 'text', text: 'Good day.' }]);
        assert.deepEqual([answer.usage?.inputTokens, answer.usage?.outputTokens], [5, 3]);
      });

      for (const ending of ['cut', 'end'] as const) {
        it(`ends with an error if the stream has a premature ${ending}`, async () => {
          const events = await wire.collect(await chat(format, streamed(format, BEGINNING[format], { ending })));
          assert.equal(events[0]?.type, 'start');
          const last = events.at(-1);
          assert.ok(last?.type === 'error');
          assert.equal(last.error.kind, 'network');
        });
      }

      it('throws on a failure before the answer', async () => {
        const events = await chat(
          format,
          answerJson({ error: { message: 'Add credit.', type: 'billing_error' } }, 402),
        );
        const error = await wire.rejection(wire.collect(events));
        assert.deepEqual([error.kind, error.message], ['credit', 'Add credit.']);
      });

      it('closes the connection when the reader stops', async () => {
        for await (const event of await chat(format, streamed(format, BEGINNING[format], { ending: 'stall' }))) {
          if (event.type === 'start') break;
        }
        assert.equal(await (await service.request()).ended, 'left');
      });

      it('throws the abort reason in the middle of the answer', async () => {
        const controller = new AbortController();
        const reason = new Error('stopped by the user');
        const events = await chat(format, streamed(format, BEGINNING[format], { ending: 'stall' }), controller.signal);
        const reading = (async () => {
          for await (const event of events) if (event.type === 'start') controller.abort(reason);
        })();
        await assert.rejects(reading, reason);
      });

      it('yields a malformed event as a value, continues, and ends with an error', async () => {
        const [first = '', ...rest] = STREAMS[format];
        const stream = answerStream(eventStreamOf(first, '{"oops', ...rest));
        const events = await wire.collect(await chat(format, stream));
        assert.equal(events.filter(({ type }) => type === 'malformed').length, 1);
        assert.equal(events.at(-1)?.type, 'error');
        assert.ok(events.some(({ type }) => type === 'textDelta'));
      });
    });
  }

  it('yields an error of the stream unchanged except for redacted keys, and ends', async () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: `Busy with ${wire.SECRET}` } };
    const stream = answerStream(eventStreamOf(...STREAMS.messages.slice(0, 3), error), { ending: 'stall' });
    const last = (await wire.collect(await chat('messages', stream))).at(-1);
    assert.ok(last?.type === 'error');
    assert.deepEqual([last.error.kind, last.error.message], ['overloaded', 'Busy with key_…']);
    assert.equal(await (await service.request()).ended, 'left');
  });
});
