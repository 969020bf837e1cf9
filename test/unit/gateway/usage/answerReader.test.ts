import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { ChatEvent } from '../../../../src/formats/answer.ts';
import type { ChatRequest, FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { formatServerSentEvent } from '../../../../src/formats/serverSentEvents.ts';
import type { Usage } from '../../../../src/formats/usage.ts';
import { AnswerReader } from '../../../../src/gateway/usage/answerReader.ts';
import { HeldBytes } from '../../../../src/gateway/usage/heldBytes.ts';
import { anyCharacter } from '../../../support/anyCharacter.ts';
import { type Carried, chatEvents, chatResponse } from '../../../support/conversations.ts';
import { runs } from '../../../support/randomRuns.ts';
import { preserved as chatCompletions } from '../../formats/chatCompletions/preserved.ts';
import { preservedInAnswers as messages } from '../../formats/messages/preserved.ts';
import { preservedInAnswers as responses } from '../../formats/responses/preserved.ts';
import { split, splits } from '../../formats/streams.ts';

const CARRIED: Readonly<Record<FormatName, Carried>> = { 'chat-completions': chatCompletions, messages, responses };
const FORMATS = Object.keys(CARRIED) as FormatName[];
const STREAM = true;
const BODY = false;

const request: ChatRequest = { model: 'familya-opus-4.6', system: [], messages: [], includeUsage: true };
const context = { request, now: 1_790_000_000 };

function scan(format: FormatName, isStream: boolean, bytes: Uint8Array | string, sizes: readonly number[] = []) {
  const reader = new AnswerReader(format, isStream);
  for (const piece of split(Buffer.from(bytes), sizes)) reader.push(piece);
  return reader.end().usage;
}

function encodeStream(format: FormatName, events: readonly ChatEvent[]): string {
  const encoder = wireFormats[format].createStreamEncoder(context);
  return [...events.flatMap((event) => encoder.push(event)), ...encoder.end()].map(formatServerSentEvent).join('');
}

/** Encoders for strict clients write every count. */
function withZeros(usage: Usage | undefined): Usage | undefined {
  return usage && { cachedInputTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0, webSearches: 0, ...usage };
}

function usageOf(events: readonly ChatEvent[]): Usage | undefined {
  return events.flatMap((event) => (event.type === 'usage' ? [event.usage] : [])).at(-1);
}

describe('the usage of an answer that is passed through', () => {
  for (const format of FORMATS) {
    it(`is found in every stream of ${format}, however its bytes are split`, () => {
      const lineEnds = fc.constantFrom('\n', '\r\n');
      fc.assert(
        fc.property(chatEvents(CARRIED[format]), splits, lineEnds, (events, sizes, lineEnd) => {
          const text = encodeStream(format, events).replaceAll('\n', lineEnd);
          assert.deepEqual(withZeros(scan(format, STREAM, text, sizes)), withZeros(usageOf(events)));
        }),
        { numRuns: runs(60) },
      );
    });

    it(`is found in a stream of ${format} that arrives byte by byte`, () => {
      fc.assert(
        fc.property(chatEvents(CARRIED[format]), (events) => {
          const text = encodeStream(format, events);
          const found = scan(format, STREAM, text, new Array<number>(Buffer.byteLength(text)).fill(1));
          assert.deepEqual(withZeros(found), withZeros(usageOf(events)));
        }),
        { numRuns: runs(10) },
      );
    });

    it(`is found in every complete answer of ${format}, however its bytes are split`, () => {
      fc.assert(
        fc.property(chatResponse(CARRIED[format]), splits, fc.constantFrom(0, 2), (response, sizes, indent) => {
          const body = JSON.stringify(wireFormats[format].encodeResponse(response, context), null, indent);
          assert.deepEqual(withZeros(scan(format, BODY, body, sizes)), withZeros(response.usage));
        }),
        { numRuns: runs(60) },
      );
    });

    it(`is never invented, and nothing fails, whatever arrives as ${format}`, () => {
      const word = fc.constantFrom(
        '"usage":',
        '{',
        '}',
        '\n\n',
        '\r\n',
        'data:',
        '\\"',
        '"',
        ':',
        'null',
        '[',
        ' ',
        '\ufeff',
      );
      const noise = fc.array(fc.oneof(word, fc.string({ unit: anyCharacter, maxLength: 5 })), { maxLength: 40 });
      fc.assert(
        fc.property(noise, splits, fc.constantFrom(STREAM, BODY), (words, sizes, type) => {
          assert.equal(scan(format, type, words.join(''), sizes), undefined);
        }),
      );
    });
  }

  const stream = (...events: readonly unknown[]) =>
    events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  const counted = (prompt_tokens: number, completion_tokens: number) => ({ prompt_tokens, completion_tokens });
  const chunk = (content: string, usage: unknown = null) => ({ choices: [{ index: 0, delta: { content } }], usage });

  it('is the last report that is not 0', () => {
    const running = stream(chunk('a', counted(9, 1)), chunk('b', counted(9, 2)), chunk('c', counted(9, 3)));
    assert.deepEqual(scan('chat-completions', STREAM, running), { inputTokens: 9, outputTokens: 3 });
    const early = stream(chunk('a', counted(0, 0)), chunk('b'), { choices: [], usage: counted(9, 3) });
    assert.deepEqual(scan('chat-completions', STREAM, early), { inputTokens: 9, outputTokens: 3 });
    const late = stream(chunk('a', counted(9, 3)), { choices: [], usage: counted(0, 0) });
    assert.deepEqual(scan('chat-completions', STREAM, late), { inputTokens: 9, outputTokens: 3 });
  });

  it('is not taken from the text of the model', () => {
    const quoted = JSON.stringify({ usage: counted(7, 7) });
    for (const content of [quoted, `\n\ndata: ${quoted}\n\n`, 'usage']) {
      assert.equal(scan('chat-completions', STREAM, stream(chunk(content))), undefined);
      assert.equal(scan('chat-completions', BODY, JSON.stringify(chunk(content))), undefined);
    }
  });

  it('is not taken from the arguments of a tool call', () => {
    const input = { usage: { input_tokens: 7, output_tokens: 7 } };
    const content = [{ type: 'tool_use', id: 'toolu_1', name: 'report', input }];
    const usage = { input_tokens: 3, output_tokens: 4 };
    for (const body of [
      { content, usage },
      { usage, content },
    ]) {
      const found = scan('messages', BODY, JSON.stringify(body));
      assert.deepEqual([found?.inputTokens, found?.outputTokens], [3, 4]);
    }
    assert.equal(scan('messages', BODY, JSON.stringify({ content })), undefined);
    const started = { type: 'content_block_start', index: 0, content_block: content[0] };
    assert.equal(scan('messages', STREAM, stream(started)), undefined);
  });

  it('is what was reported before the stream was interrupted', () => {
    const usage = { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1 };
    const start = stream({ type: 'message_start', message: { id: 'msg_1', model: 'm', usage } });
    const wanted = { inputTokens: 15, cachedInputTokens: 5, outputTokens: 1 };
    assert.deepEqual(scan('messages', STREAM, `${start}event: content_block_delta\ndata: {"type":"cont`), wanted);
  });

  it('is found at the beginning of a long stream whose blank lines are split', () => {
    const usage = { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1 };
    const start = `data: ${JSON.stringify({ type: 'message_start', message: { id: 'msg_1', model: 'm', usage } })}`;
    const ping = `data: {"type":"ping","more":"${'x'.repeat(100_000)}"}`;
    for (const [before, after] of [
      ['\n', '\n'],
      ['\r\n', '\r\n'],
      ['\r\n\r', '\n'],
    ] as const) {
      const reader = new AnswerReader('messages', STREAM);
      for (const event of [start, ...new Array<string>(20).fill(ping)]) {
        reader.push(Buffer.from(event + before));
        reader.push(Buffer.from(after));
      }
      assert.deepEqual(reader.end().usage, { inputTokens: 15, cachedInputTokens: 5, outputTokens: 1 });
    }
  });

  it('is found in a failed answer', () => {
    const response = { id: 'resp_1', status: 'failed', usage: { input_tokens: 8, output_tokens: 2 } };
    const found = scan('responses', STREAM, stream({ type: 'response.failed', response }));
    assert.deepEqual(found, { inputTokens: 8, outputTokens: 2 });
  });

  it('includes the searches of a response, which its usage does not contain', () => {
    const usage = { input_tokens: 8, output_tokens: 2 };
    const call = (type: string) => ({ type: 'web_search_call', action: { type } });
    const output = [call('search'), call('open_page'), call('search'), { type: 'web_search_call' }];
    const searches = (answer: object) =>
      scan('responses', BODY, JSON.stringify({ status: 'completed', usage, ...answer }))?.webSearches;
    assert.deepEqual(searches({ output }), 3);
    assert.deepEqual(searches({ output, tool_usage: { web_search: { num_requests: 2 } } }), 2);
    assert.deepEqual(searches({ output: [{ type: 'message' }] }), 0);
    assert.deepEqual(searches({ output: [] }), undefined);
    const completed = { type: 'response.completed', response: { status: 'completed', usage, output } };
    assert.deepEqual(scan('responses', STREAM, stream(completed))?.webSearches, 3);
  });

  const SEARCHES = {
    responses: {
      call: (id: number, action = 'search') => ({
        type: 'response.output_item.done',
        output_index: id,
        item: { type: 'web_search_call', id: `w${id}`, action: { type: action } },
      }),
      end: (answer: object) => ({
        type: 'response.completed',
        response: { status: 'completed', ...answer, usage: { input_tokens: 8, output_tokens: 2 } },
      }),
    },
    messages: {
      call: (id: number) => ({
        type: 'content_block_start',
        index: id,
        content_block: { type: 'server_tool_use', id: `s${id}`, name: 'web_search', input: {} },
      }),
      end: (usage: object) => ({
        type: 'message_delta',
        delta: { stop_reason: 'end_turn' },
        usage: { input_tokens: 8, output_tokens: 2, ...usage },
      }),
    },
  };
  const searchesOf = (format: FormatName, ...events: readonly unknown[]) =>
    scan(format, STREAM, stream(...events), [50, 90])?.webSearches;

  it('includes the searches that the events of a response have shown, if its last event omits them', () => {
    const { call, end } = SEARCHES.responses;
    const message = { type: 'message' };
    assert.deepEqual(searchesOf('responses', call(0), call(1), end({ output: [] })), 2);
    assert.deepEqual(searchesOf('responses', call(0), call(1), end({})), 2);
    assert.deepEqual(searchesOf('responses', call(0), call(1), end({ output: [message] })), 2);
    assert.deepEqual(searchesOf('responses', call(0), call(0), end({ output: [message] })), 1, 'each call once');
    assert.deepEqual(searchesOf('responses', call(0), call(1, 'open_page'), end({ output: [message] })), 1);
    const told = { output: [message], tool_usage: { web_search: { num_requests: 1 } } };
    assert.deepEqual(searchesOf('responses', call(0), call(1), end(told)), 1, 'the service’s own sum applies');
  });

  it('includes searches of a response whose completion is all that was shown', () => {
    const { call, end } = SEARCHES.responses;
    const completed = (id: number) => ({
      type: 'response.web_search_call.completed',
      output_index: id,
      item_id: `w${id}`,
    });
    assert.deepEqual(searchesOf('responses', completed(0), completed(1), end({})), 2);
    assert.deepEqual(searchesOf('responses', completed(0), call(0), completed(1), call(1, 'open_page'), end({})), 1);
  });

  it('includes the searches of a message whose usage does not report them', () => {
    const { call, end } = SEARCHES.messages;
    const started = { type: 'message_start', message: { usage: { server_tool_use: { web_search_requests: 0 } } } };
    assert.deepEqual(searchesOf('messages', started, call(0), call(1), end({})), 2);
    assert.deepEqual(searchesOf('messages', call(0), call(1), end({ server_tool_use: null })), 2);
    assert.deepEqual(searchesOf('messages', call(0), call(1), end({ server_tool_use: { web_search_requests: 1 } })), 1);
    const content = [call(0).content_block, { ...call(1).content_block, name: 'code_execution' }];
    const body = JSON.stringify({ type: 'message', content, usage: { input_tokens: 8, output_tokens: 2 } });
    assert.deepEqual(scan('messages', BODY, body)?.webSearches, 1);
  });

  it('includes the searches that were shown before a last event that is too long to be buffered', () => {
    const { call, end } = SEARCHES.responses;
    const long = { type: 'message', content: 'x'.repeat(3 * 1024 * 1024) };
    assert.deepEqual(searchesOf('responses', call(0), call(1), end({ output: [long] })), 2);
  });

  it('is found after a byte order mark and comments, and without a space after the colon', () => {
    const event = `data:${JSON.stringify(chunk('a', counted(9, 3)))}`;
    const found = scan('chat-completions', STREAM, `\ufeff: hello\n${event}\n: bye\n\n: ping\n\n`);
    assert.deepEqual(found, { inputTokens: 9, outputTokens: 3 });
  });

  it('is found without a final blank line', () => {
    const text = stream(chunk('a', counted(9, 3))).trimEnd();
    assert.deepEqual(scan('chat-completions', STREAM, text, [10]), { inputTokens: 9, outputTokens: 3 });
  });

  it('omits invalid counts', () => {
    const usage = {
      ...counted(9, 3),
      prompt_tokens_details: { cached_tokens: 'five' },
      completion_tokens_details: { reasoning_tokens: -1 },
    };
    assert.deepEqual(scan('chat-completions', STREAM, stream(chunk('a', usage))), { inputTokens: 9, outputTokens: 3 });
    for (const bad of [
      counted(1.5, -1),
      counted(1e300, 1e12),
      { prompt_tokens: 'nine' },
      { prompt_tokens: [9] },
      [],
      'x',
    ]) {
      assert.equal(scan('chat-completions', STREAM, stream(chunk('a', bad))), undefined);
    }
  });

  it('is found at the end of an event or an answer that is too long to be buffered', () => {
    const long = 'x'.repeat(3 * 1024 * 1024);
    const usage = { input_tokens: 8, output_tokens: 2 };
    const response = { id: 'resp_1', output: [{ type: 'message', content: long }], usage, metadata: {} };
    const sizes = new Array<number>(300).fill(16 * 1024);
    const event = stream({ type: 'response.completed', response });
    assert.deepEqual(scan('responses', STREAM, event, sizes), { inputTokens: 8, outputTokens: 2 });
    assert.deepEqual(scan('responses', STREAM, event + stream({ type: 'x' }), sizes), {
      inputTokens: 8,
      outputTokens: 2,
    });
    const body = JSON.stringify(response);
    assert.deepEqual(scan('responses', BODY, body, sizes), { inputTokens: 8, outputTokens: 2 });
  });

  it('is found with the model and the tier of an answer that is too long to be buffered', () => {
    const text = 'x'.repeat(3 * 1024 * 1024);
    const said = `{"model":"quoted","service_tier":"flex","usage":{"prompt_tokens":1,"input_tokens":1}}`;
    const facts = { model: 'model-b', service_tier: 'priority' };
    const tool = { type: 'function_call', arguments: said, usage: { input_tokens: 1, output_tokens: 1 } };
    const response = { id: 'r', instructions: text, ...facts, output: [tool, text], status: 'completed' };
    const answer = { ...response, usage: { input_tokens: 8, output_tokens: 2 }, user: said, metadata: { usage: {} } };
    const message = { role: 'assistant', content: `${said}${text}` };
    const completion = {
      ...{ id: 'c', model: 'model-b', choices: [{ index: 0, message, finish_reason: 'stop' }] },
      ...{ usage: { prompt_tokens: 8, completion_tokens: 2 }, service_tier: 'priority' },
    };
    const sizes = new Array<number>(900).fill(8_191);
    for (const [format, type, bytes] of [
      ['responses', BODY, JSON.stringify(answer)],
      ['responses', STREAM, stream({ type: 'response.completed', sequence_number: 9, response: answer })],
      ['chat-completions', BODY, JSON.stringify(completion)],
      ['chat-completions', STREAM, stream({ ...completion, choices: [{ index: 0, delta: { content: text } }] })],
    ] as const) {
      const reader = new AnswerReader(format, type);
      for (const piece of split(Buffer.from(bytes), sizes)) reader.push(piece);
      assert.deepEqual(reader.end().usage, { inputTokens: 8, outputTokens: 2 }, `${format} ${type}`);
      const { model, hasUnlistedPrice, isFinal } = reader.usage;
      assert.deepEqual([model, hasUnlistedPrice, isFinal], ['model-b', true, true], `${format} ${type}`);
    }
  });

  it('reads numbers that are texts', () => {
    const usage = { prompt_tokens: '9', completion_tokens: '3', prompt_tokens_details: { cached_tokens: '4' } };
    const chunk = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage };
    const expected = { inputTokens: 9, outputTokens: 3, cachedInputTokens: 4 };
    assert.deepEqual(scan('chat-completions', STREAM, stream(chunk)), expected);
    assert.deepEqual(scan('chat-completions', BODY, JSON.stringify(chunk)), expected);
  });

  it('has an unknown price if a long answer cannot be read, so that only its last usage is found', () => {
    const parts = Array.from({ length: 3_000_000 }, () => 1234);
    const body = JSON.stringify({ parts, usage: { input_tokens: 8, output_tokens: 2 }, model: 'model-b' });
    const reader = new AnswerReader('responses', BODY);
    reader.push(Buffer.from(body));
    assert.deepEqual(reader.end().usage, { inputTokens: 8, outputTokens: 2 });
    assert.deepEqual([reader.usage.model, reader.usage.hasUnlistedPrice], [undefined, true]);
  });

  it('is searched in a bounded part of an answer of any length', () => {
    const held = new HeldBytes(false);
    const piece = Buffer.alloc(64 * 1024, 'x');
    for (let count = 0; count < 800; count += 1) {
      held.add(piece);
      assert.ok(held.length <= 1024 * 1024);
    }
    held.add(Buffer.from('the end'));
    const { bytes, long } = held.take();
    assert.ok(bytes.toString().endsWith(`${'x'.repeat(60_000)}the end`));
    assert.ok(long !== undefined, 'the beginning was dropped');
    assert.deepEqual([held.length, held.take().long], [0, undefined]);
  });
});

describe('the upstream’s own reason for a cache miss', () => {
  const STARTED = {
    type: 'message_start',
    message: {
      usage: { input_tokens: 9, output_tokens: 1 },
      diagnostics: { cache_miss_reason: { type: 'tools_changed', cache_missed_input_tokens: 4 } },
    },
  };
  const COMPLETED = {
    type: 'response.completed',
    response: {
      usage: { input_tokens: 9, output_tokens: 1 },
      prompt_cache_diagnostics: { type: 'cache_miss', reason: 'input_changed', cache_missed_tokens: 4 },
    },
  };
  const reasonOf = (format: FormatName, isStream: boolean, body: string) => {
    const reader = new AnswerReader(format, isStream);
    for (const piece of split(Buffer.from(body), [7])) reader.push(piece);
    assert.equal(reader.end().usage?.inputTokens, 9, 'the usage is read as before');
    return reader.usage.upstreamMissReason;
  };
  const event = (value: { type: string }) => formatServerSentEvent({ event: value.type, data: JSON.stringify(value) });

  it('is read from streams and complete answers', () => {
    assert.equal(reasonOf('messages', STREAM, event(STARTED)), 'tools_changed');
    assert.equal(reasonOf('messages', BODY, JSON.stringify(STARTED.message)), 'tools_changed');
    assert.equal(reasonOf('responses', STREAM, event(COMPLETED)), 'input_changed');
    assert.equal(reasonOf('responses', BODY, JSON.stringify(COMPLETED.response)), 'input_changed');
  });

  it('is also read if it is a plain name', () => {
    const answer = { ...STARTED.message, diagnostics: { cache_miss_reason: 'system_changed' } };
    assert.equal(reasonOf('messages', BODY, JSON.stringify(answer)), 'system_changed');
  });

  it('is unknown if the upstream reports none, or anything but a name', () => {
    for (const diagnostics of [null, {}, { cache_miss_reason: null }, { cache_miss_reason: { type: 'a b' } }, 'x']) {
      const answer = { ...STARTED.message, diagnostics };
      assert.equal(reasonOf('messages', BODY, JSON.stringify(answer)), undefined);
    }
  });
});
