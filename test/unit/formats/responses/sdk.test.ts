import assert from 'node:assert/strict';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, streamText } from 'ai';
import * as fc from 'fast-check';
import OpenAI from 'openai';
import { assembleResponse, type ChatEvent, type ChatResponse } from '../../../../src/formats/answer.ts';
import type { ApiError } from '../../../../src/formats/apiError.ts';
import type { ChatRequest } from '../../../../src/formats/conversation.ts';
import { responses } from '../../../../src/formats/responses/index.ts';
import { formatServerSentEvent } from '../../../../src/formats/serverSentEvents.ts';
import { chatEvents, chatResponse } from '../../../support/conversations.ts';
import { runs } from '../../../support/randomRuns.ts';
import { asAnswered, preservedInAnswers, withEarlyIds, withoutNewIds } from './preserved.ts';

const request: ChatRequest = {
  model: 'familyb-5.2',
  system: [{ type: 'text', text: 'Be brief.' }],
  messages: [],
  tools: [{ name: 'run', parameters: { type: 'object', properties: {} } }],
};
const context = { request, now: 1_790_000_000 };
const asked = { model: 'm', input: 'Hi' };

type Fetch = typeof globalThis.fetch;

function answering(body: string, contentType: string, status = 200): Fetch {
  return async () => new Response(body, { status, headers: { 'content-type': contentType } });
}

function streaming(events: readonly ChatEvent[]): Fetch {
  const encoder = responses.createStreamEncoder(context);
  const sent = [...events.flatMap((event) => encoder.push(event)), ...encoder.end()];
  return answering(sent.map(formatServerSentEvent).join(''), 'text/event-stream');
}

function whole(response: ChatResponse): Fetch {
  return answering(JSON.stringify(responses.encodeResponse(response, context)), 'application/json');
}

/** The official client, each of whose requests gets this answer. */
function clientOf(fetch: Fetch): OpenAI {
  return new OpenAI({ apiKey: 'key_test', baseURL: 'http://127.0.0.1:9', fetch, maxRetries: 0 });
}

const start: ChatEvent = { type: 'start', id: 'chatcmpl-7', model: 'm' };
const hello: ChatEvent = { type: 'textDelta', index: 0, text: 'Hello' };
const usage: ChatEvent = { type: 'usage', usage: { inputTokens: 12, outputTokens: 3, cachedInputTokens: 4 } };

describe('Official SDK for the responses format', () => {
  it('assembles our streams into the original answer', async () => {
    await fc.assert(
      fc.asyncProperty(chatEvents(preservedInAnswers), async (events) => {
        const wanted = assembleResponse(events);
        const stream = clientOf(streaming(withEarlyIds(events))).responses.stream(asked);
        const decoded = responses.decodeResponse(JSON.parse(JSON.stringify(await stream.finalResponse())));
        assert.deepEqual(withoutNewIds(decoded, wanted), asAnswered(wanted));
      }),
      { numRuns: runs(15) },
    );
  });

  it('reads our complete answers', async () => {
    await fc.assert(
      fc.asyncProperty(chatResponse(preservedInAnswers), async (wanted) => {
        const answer = await clientOf(whole(wanted)).responses.create(asked);
        const decoded = responses.decodeResponse(JSON.parse(JSON.stringify(answer)));
        assert.deepEqual(withoutNewIds(decoded, wanted), asAnswered(wanted));
      }),
      { numRuns: runs(10) },
    );
  });

  it('accepts calls with identical ids from the service', async () => {
    const events: ChatEvent[] = [
      start,
      { type: 'toolCallStart', index: 0, id: 'call_0', name: 'run' },
      { type: 'toolCallStart', index: 1, id: 'call_0', name: 'run' },
      { type: 'toolCallDelta', index: 1, arguments: '{"b":2}' },
      { type: 'toolCallDelta', index: 0, arguments: '{"a":1}' },
      { type: 'toolCallStart', index: 2, id: '', name: 'run' },
      { type: 'finish', reason: 'toolCalls' },
    ];
    const { output } = await clientOf(streaming(events)).responses.stream(asked).finalResponse();
    const calls = output.filter((item) => item.type === 'function_call');
    assert.deepEqual(
      calls.map((call) => call.arguments),
      ['{"a":1}', '{"b":2}', '{}'],
    );
    assert.equal(new Set(calls.map((call) => call.call_id)).size, 3);
  });

  it('returns the text as output_text, and the requested options', async () => {
    const stream = clientOf(streaming([start, hello, usage, { type: 'finish', reason: 'stop' }])).responses.stream(
      asked,
    );
    const answer = await stream.finalResponse();
    assert.equal(answer.output_text, 'Hello');
    assert.equal(answer.instructions, 'Be brief.');
    assert.equal(answer.tools[0]?.type, 'function');
    assert.equal(answer.usage?.total_tokens, 15);
  });

  it('throws on a failure in the middle of a stream', async () => {
    const error: ApiError = { kind: 'overloaded', message: 'Busy' };
    const stream = clientOf(streaming([start, hello, { type: 'error', error }])).responses.stream(asked);
    await assert.rejects(stream.finalResponse(), /Busy/);
  });

  it('throws if the stream is truncated', async () => {
    const stream = clientOf(streaming([start, hello])).responses.stream(asked);
    await assert.rejects(stream.finalResponse(), /cut/);
  });

  it('throws on a failure before the answer', async () => {
    const error: ApiError = { kind: 'rateLimit', message: 'Too fast' };
    const stream = clientOf(streaming([{ type: 'error', error }])).responses.stream(asked);
    await assert.rejects(stream.finalResponse(), /Too fast/);
  });

  it('throws our error bodies with status, type and code', async () => {
    const { status, body } = responses.encodeError({ kind: 'credit', message: 'No credit left.' });
    const client = clientOf(answering(JSON.stringify(body), 'application/json', status));
    await assert.rejects(client.responses.create(asked), (thrown) => {
      assert.ok(thrown instanceof OpenAI.APIError);
      assert.deepEqual([thrown.status, thrown.type, thrown.code], [402, 'insufficient_quota', 'insufficient_quota']);
      return true;
    });
  });
});

describe('AI SDK with the responses format', () => {
  function modelOf(fetch: Fetch) {
    return createOpenAI({ apiKey: 'key_test', baseURL: 'http://127.0.0.1:9', fetch }).responses('m');
  }
  const answer: ChatResponse = {
    id: 'resp_1',
    model: 'm',
    parts: [
      { type: 'reasoning', text: 'Hmm.', encrypted: 'gAAA' },
      { type: 'text', text: 'Hello' },
    ],
    finishReason: 'length',
    usage: { inputTokens: 12, outputTokens: 3, reasoningTokens: 2 },
  };

  it('reads our complete answers', async () => {
    const read = await generateText({ model: modelOf(whole(answer)), prompt: 'Hi' });
    assert.deepEqual([read.text, read.reasoningText, read.finishReason], ['Hello', 'Hmm.', 'length']);
    assert.equal(read.usage.inputTokens, 12);
  });

  it('reads our streams', async () => {
    const events: ChatEvent[] = [
      start,
      { type: 'reasoningDelta', index: 0, text: 'Hmm.' },
      { ...hello, index: 1 },
      usage,
      { type: 'finish', reason: 'stop' },
    ];
    const read = streamText({ model: modelOf(streaming(events)), prompt: 'Hi' });
    assert.deepEqual([await read.text, await read.reasoningText], ['Hello', 'Hmm.']);
    assert.equal(await read.finishReason, 'stop');
    assert.equal((await read.usage).outputTokens, 3);
  });
});
