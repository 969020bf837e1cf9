import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import * as fc from 'fast-check';
import { assembleResponse, type ChatEvent, type ChatResponse } from '../../../../src/formats/answer.ts';
import type { ApiError } from '../../../../src/formats/apiError.ts';
import type { ChatRequest } from '../../../../src/formats/conversation.ts';
import { messages } from '../../../../src/formats/messages/index.ts';
import { formatServerSentEvent } from '../../../../src/formats/serverSentEvents.ts';
import { chatEvents, chatResponse } from '../../../support/conversations.ts';
import { runs } from '../../../support/randomRuns.ts';
import { counted, preservedInAnswers } from './preserved.ts';

const request: ChatRequest = { model: 'familya-opus-4.6', system: [], messages: [] };
const context = { request, now: 1_790_000_000 };
const asked = { model: 'm', max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hi' }] };

/** The official client, each of whose requests gets this answer. */
function clientOf(body: string, contentType: string, status = 200): Anthropic {
  const answer = async () => new Response(body, { status, headers: { 'content-type': contentType } });
  return new Anthropic({ apiKey: 'key_test', baseURL: 'http://127.0.0.1:9', fetch: answer, maxRetries: 0 });
}

function streamingClient(events: readonly ChatEvent[]): Anthropic {
  const encoder = messages.createStreamEncoder(context);
  const sent = [...events.flatMap((event) => encoder.push(event)), ...encoder.end()];
  return clientOf(sent.map(formatServerSentEvent).join(''), 'text/event-stream');
}

describe('Official SDK for the messages format', () => {
  it('assembles our streams into the original answer', async () => {
    await fc.assert(
      fc.asyncProperty(chatEvents(preservedInAnswers), async (events) => {
        const message = await streamingClient(events).messages.stream(asked).finalMessage();
        assert.deepEqual(
          messages.decodeResponse(JSON.parse(JSON.stringify(message))),
          normal(counted(assembleResponse(events))),
        );
      }),
      { numRuns: runs(10) },
    );
  });

  it('reads our complete answers', async () => {
    await fc.assert(
      fc.asyncProperty(chatResponse(preservedInAnswers), async (response) => {
        const body = JSON.stringify(messages.encodeResponse(response, context));
        const message = await clientOf(body, 'application/json').messages.create(asked);
        assert.deepEqual(messages.decodeResponse(JSON.parse(JSON.stringify(message))), normal(counted(response)));
      }),
      { numRuns: runs(10) },
    );
  });

  it('throws our error events', async () => {
    const error: ApiError = { kind: 'overloaded', message: 'Busy' };
    const stream = streamingClient([
      { type: 'start', id: 'msg_1', model: 'm' },
      { type: 'textDelta', index: 0, text: 'Hi' },
      { type: 'error', error },
    ]).messages.stream(asked);
    await assert.rejects(stream.finalMessage(), /Busy/);
  });

  it('throws if our stream is truncated', async () => {
    const stream = streamingClient([
      { type: 'start', id: 'msg_1', model: 'm' },
      { type: 'textDelta', index: 0, text: 'Hi' },
    ]).messages.stream(asked);
    await assert.rejects(stream.finalMessage(), /cut/);
  });

  it('throws our error bodies with status, type and request id', async () => {
    const error: ApiError = { kind: 'credit', message: 'No credit left.', requestId: 'req_1' };
    const { status, body } = messages.encodeError(error);
    const client = clientOf(JSON.stringify(body), 'application/json', status);
    await assert.rejects(client.messages.create(asked), (thrown) => {
      assert.ok(thrown instanceof Anthropic.APIError);
      assert.equal(thrown.status, 402);
      assert.equal(thrown.type, 'billing_error');
      return true;
    });
  });

  it('reads our token counts', async () => {
    const client = clientOf(JSON.stringify({ input_tokens: 42 }), 'application/json');
    const { max_tokens: _, ...prompt } = asked;
    assert.equal((await client.messages.countTokens(prompt)).input_tokens, 42);
  });
});

/** Parses arguments as the client does, which removes the model's white space. */
function normal(response: ChatResponse): ChatResponse {
  const parts = response.parts.map((part) =>
    part.type === 'toolCall' ? { ...part, arguments: JSON.stringify(JSON.parse(part.arguments)) } : part,
  );
  return { ...response, parts };
}
