import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { assembleResponse, type ChatEvent } from '../../../../src/formats/answer.ts';
import { chatCompletions } from '../../../../src/formats/chatCompletions/index.ts';
import { eventSchema, requestSchema, responseSchema } from '../../../../src/formats/chatCompletions/schema.ts';
import type { ChatRequest } from '../../../../src/formats/conversation.ts';
import { formatServerSentEvent } from '../../../../src/formats/serverSentEvents.ts';
import { chatEvents, chatRequest, chatResponse } from '../../../support/conversations.ts';
import { readEvents, splits } from '../streams.ts';
import { asCarried, preserved } from './preserved.ts';

const request: ChatRequest = { model: 'familyc-5.4', system: [], messages: [], stream: true, includeUsage: true };
const context = { request, now: 1_790_000_000 };

function encodeStream(events: readonly ChatEvent[]): string {
  const encoder = chatCompletions.createStreamEncoder(context);
  return [...events.flatMap((event) => encoder.push(event)), ...encoder.end()].map(formatServerSentEvent).join('');
}

function overTheWire(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe('Chat-completions format round trip', () => {
  it('keeps every request that the format can carry', () => {
    fc.assert(
      fc.property(chatRequest(preserved), (wanted) => {
        const wire = overTheWire(chatCompletions.encodeRequest(wanted));
        assert.ok(requestSchema.safeParse(wire).success);
        assert.deepEqual(chatCompletions.decodeRequest(wire), asCarried(wanted));
      }),
    );
  });

  it('encodes the same request identically every time', () => {
    fc.assert(
      fc.property(chatRequest(preserved), (wanted) => {
        const once = chatCompletions.encodeRequest(wanted);
        const again = chatCompletions.encodeRequest(chatCompletions.decodeRequest(overTheWire(once)));
        assert.equal(JSON.stringify(again), JSON.stringify(once));
      }),
    );
  });

  it('keeps every answer that the format can carry', () => {
    fc.assert(
      fc.property(chatResponse(preserved), (wanted) => {
        const wire = overTheWire(chatCompletions.encodeResponse(wanted, context));
        assert.ok(responseSchema.safeParse(wire).success);
        assert.deepEqual(chatCompletions.decodeResponse(wire), wanted);
      }),
    );
  });

  it('keeps every stream that the format can carry, however its bytes are split', () => {
    fc.assert(
      fc.property(chatEvents(preserved), splits, (events, cuts) => {
        const decoded = readEvents(chatCompletions, encodeStream(events), cuts);
        assert.deepEqual(assembleResponse(decoded), assembleResponse(events));
      }),
    );
  });

  it('returns the same events however the bytes of a stream are split', () => {
    fc.assert(
      fc.property(chatEvents(preserved), splits, (events, cuts) => {
        const wire = encodeStream(events);
        assert.deepEqual(readEvents(chatCompletions, wire, cuts), readEvents(chatCompletions, wire));
      }),
    );
  });

  it('writes streams with one id throughout, and with usage last before the end marker', () => {
    fc.assert(
      fc.property(chatEvents(preserved), (events) => {
        const lines = encodeStream(events).trimEnd().split('\n\n');
        assert.equal(lines.pop(), 'data: [DONE]');
        const chunks = lines.map((line) => JSON.parse(line.slice('data: '.length)));
        for (const chunk of chunks) assert.ok(eventSchema.safeParse(chunk).success);
        assert.equal(new Set(chunks.map(({ id, created, model }) => `${id} ${created} ${model}`)).size, 1);
        const counting = chunks.filter(({ usage }) => usage !== null);
        assert.deepEqual(counting, [chunks.at(-1)]);
        assert.deepEqual(counting[0].choices, []);
      }),
    );
  });
});
