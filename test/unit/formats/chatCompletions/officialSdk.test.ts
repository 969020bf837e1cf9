import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { type ChatEvent, type ChatResponse, responseEvents } from '../../../../src/formats/answer.ts';
import { chatCompletions } from '../../../../src/formats/chatCompletions/index.ts';
import type { ChatRequest } from '../../../../src/formats/conversation.ts';
import { formatServerSentEvent } from '../../../../src/formats/serverSentEvents.ts';

const answer: ChatResponse = {
  id: 'msg_1',
  model: 'familya-sonnet-4.6',
  createdAt: 1_790_000_000,
  parts: [
    { type: 'reasoning', text: 'Hm', signature: 'c2ln' },
    { type: 'text', text: 'Looking' },
    { type: 'toolCall', id: 'call_a', name: 'weather', arguments: '{"city":"Oslo"}' },
    { type: 'toolCall', id: 'call_b', name: 'weather', arguments: '{"city":"Kyoto"}' },
  ],
  finishReason: 'toolCalls',
  usage: { inputTokens: 20, outputTokens: 8, cachedInputTokens: 4, reasoningTokens: 2 },
};

const usage = {
  prompt_tokens: 20,
  completion_tokens: 8,
  total_tokens: 28,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 2 },
};
const toolCalls = [
  { id: 'call_a', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
  { id: 'call_b', type: 'function', function: { name: 'weather', arguments: '{"city":"Kyoto"}' } },
];

/** A client whose requests are decoded and answered here, without a network. */
function createClient(respond: (request: ChatRequest) => Response): OpenAI {
  return new OpenAI({
    apiKey: 'key_test',
    baseURL: 'http://127.0.0.1/api/v1',
    maxRetries: 0,
    fetch: async (_address, init) => respond(chatCompletions.decodeRequest(JSON.parse(String(init?.body)))),
  });
}

function streamed(events: Iterable<ChatEvent>): (request: ChatRequest) => Response {
  return (request) => {
    const encoder = chatCompletions.createStreamEncoder({ request, now: 0 });
    const sent = [...[...events].flatMap((event) => encoder.push(event)), ...encoder.end()];
    return new Response(sent.map(formatServerSentEvent).join(''), { headers: { 'content-type': 'text/event-stream' } });
  };
}

const body = { model: 'familya-sonnet-4.6', messages: [{ role: 'user' as const, content: 'Weather?' }] };

describe('The official SDK for the chat-completions format', () => {
  it('reads an encoded answer', async () => {
    const client = createClient((request) =>
      Response.json(chatCompletions.encodeResponse(answer, { request, now: 0 })),
    );
    const completion = await client.chat.completions.create(body);
    assert.equal(completion.choices[0]?.message.content, 'Looking');
    assert.deepEqual(completion.choices[0]?.message.tool_calls, toolCalls);
    assert.equal(completion.choices[0]?.finish_reason, 'tool_calls');
    assert.deepEqual(completion.usage, usage);
  });

  it('assembles an encoded stream', async () => {
    const stream = createClient(streamed(responseEvents(answer))).chat.completions.stream({
      ...body,
      stream_options: { include_usage: true },
    });
    const completion = await stream.finalChatCompletion();
    assert.equal(completion.id, 'chatcmpl-1');
    assert.equal(completion.choices[0]?.message.content, 'Looking');
    assert.deepEqual(
      completion.choices[0]?.message.tool_calls?.map(
        (call) => call.type === 'function' && [call.id, call.function.arguments],
      ),
      toolCalls.map(({ id, function: fn }) => [id, fn.arguments]),
    );
    assert.deepEqual(completion.usage, usage);
  });

  it('assembles a stream of interleaved calls', async () => {
    const events: ChatEvent[] = [
      { type: 'start', id: 'msg_1', model: 'm' },
      { type: 'toolCallStart', index: 0, id: 'call_a', name: 'weather' },
      { type: 'toolCallStart', index: 1, id: 'call_b', name: 'weather' },
      { type: 'toolCallDelta', index: 1, arguments: '{"city":' },
      { type: 'toolCallDelta', index: 0, arguments: '{"city":"Oslo"}' },
      { type: 'toolCallDelta', index: 1, arguments: '"Kyoto"}' },
      { type: 'toolCallEnd', index: 0 },
      { type: 'toolCallEnd', index: 1 },
      { type: 'finish', reason: 'toolCalls' },
    ];
    const completion = await createClient(streamed(events)).chat.completions.stream(body).finalChatCompletion();
    assert.deepEqual(
      completion.choices[0]?.message.tool_calls?.map((call) => call.type === 'function' && call.function.arguments),
      ['{"city":"Oslo"}', '{"city":"Kyoto"}'],
    );
  });

  it('throws on the error of a truncated stream', async () => {
    const [start, ...rest] = responseEvents(answer);
    assert.ok(start);
    const stream = await createClient(streamed([start, ...rest.slice(0, 2)])).chat.completions.create({
      ...body,
      stream: true,
    });
    await assert.rejects(
      async () => {
        for await (const chunk of stream) assert.ok(chunk.choices.length > 0);
      },
      (error) => error instanceof OpenAI.APIError && error.code === 'connection_error',
    );
  });

  it('throws its own error for an encoded error', async () => {
    const { status, body: problem } = chatCompletions.encodeError({ kind: 'authentication', message: 'No such key.' });
    const client = createClient(() => Response.json(problem, { status }));
    await assert.rejects(
      client.chat.completions.create(body),
      (error) => error instanceof OpenAI.AuthenticationError && error.message.includes('No such key.'),
    );
  });
});
