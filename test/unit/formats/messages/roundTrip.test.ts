import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { assembleResponse, type ChatEvent } from '../../../../src/formats/answer.ts';
import type { ChatRequest } from '../../../../src/formats/conversation.ts';
import { messagesEvent } from '../../../../src/formats/messages/eventSchema.ts';
import { DEFAULT_MAX_TOKENS, messages } from '../../../../src/formats/messages/index.ts';
import { messagesRequest, messagesResponse } from '../../../../src/formats/messages/schema.ts';
import { formatServerSentEvent } from '../../../../src/formats/serverSentEvents.ts';
import { chatEvents, chatRequest, chatResponse } from '../../../support/conversations.ts';
import { readEvents, splits } from '../streams.ts';
import { asCarried, counted, preservedInAnswers, preservedInRequests } from './preserved.ts';

const request: ChatRequest = { model: 'familya-opus-4.6', system: [], messages: [] };
const context = { request, now: 1_790_000_000 };

function encodeStream(events: readonly ChatEvent[]): string {
  const encoder = messages.createStreamEncoder(context);
  return [...events.flatMap((event) => encoder.push(event)), ...encoder.end()].map(formatServerSentEvent).join('');
}

describe('Messages format round trip', () => {
  it('keeps every request that the format can carry', () => {
    fc.assert(
      fc.property(chatRequest(preservedInRequests), (wanted) => {
        const wire = JSON.parse(JSON.stringify(messages.encodeRequest(wanted)));
        assert.ok(messagesRequest.safeParse(wire).success);
        assert.deepEqual(messages.decodeRequest(wire), asCarried(wanted, DEFAULT_MAX_TOKENS));
      }),
    );
  });

  it('encodes the same request identically every time', () => {
    fc.assert(
      fc.property(chatRequest(preservedInRequests), (wanted) => {
        const once = messages.encodeRequest(wanted);
        const again = messages.encodeRequest(messages.decodeRequest(JSON.parse(JSON.stringify(once))));
        assert.equal(JSON.stringify(again), JSON.stringify(once));
      }),
    );
  });

  it('keeps every answer that the format can carry', () => {
    fc.assert(
      fc.property(chatResponse(preservedInAnswers), (wanted) => {
        const wire = JSON.parse(JSON.stringify(messages.encodeResponse(wanted, context)));
        assert.ok(messagesResponse.safeParse(wire).success);
        assert.deepEqual(messages.decodeResponse(wire), counted(wanted));
      }),
    );
  });

  it('keeps every stream that the format can carry, however its bytes are split', () => {
    fc.assert(
      fc.property(chatEvents(preservedInAnswers), splits, (events, cuts) => {
        const decoded = readEvents(messages, encodeStream(events), cuts);
        assert.deepEqual(assembleResponse(decoded), counted(assembleResponse(events)));
      }),
    );
  });

  it('writes streams whose blocks are numbered from 0 and open one at a time', () => {
    fc.assert(
      fc.property(chatEvents(preservedInAnswers), (events) => {
        assertWellFormed(encodeStream(events));
      }),
    );
  });

  it('returns the same events however the bytes of a stream are split', () => {
    fc.assert(
      fc.property(chatEvents(preservedInAnswers), splits, (events, cuts) => {
        const wire = encodeStream(events);
        assert.deepEqual(readEvents(messages, wire, cuts), readEvents(messages, wire, []));
      }),
    );
  });
});

/** Asserts the order in the format's own documentation: start, block after block, delta, stop. */
function assertWellFormed(wire: string): void {
  const events = wire
    .trimEnd()
    .split('\n\n')
    .map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 6)));
  for (const event of events) assert.ok(messagesEvent.safeParse(event).success, JSON.stringify(event));
  const types = events.map(({ type }) => type);
  assert.deepEqual([types[0], ...types.slice(-2)], ['message_start', 'message_delta', 'message_stop']);
  let next = 0;
  let open = false;
  for (const { type, index } of events.slice(1, -2)) {
    assert.equal(index, next, `${type} is for the block under way`);
    assert.equal(open, type !== 'content_block_start', `${type} in its place`);
    open = type !== 'content_block_stop';
    if (!open) next += 1;
  }
  assert.equal(open, false);
}
