import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { assembleResponse, type ChatEvent } from '../../../../src/formats/answer.ts';
import type { ChatRequest } from '../../../../src/formats/conversation.ts';
import { eventSchema } from '../../../../src/formats/responses/eventSchema.ts';
import { responses } from '../../../../src/formats/responses/index.ts';
import { requestSchema, responseSchema } from '../../../../src/formats/responses/schema.ts';
import { formatServerSentEvent } from '../../../../src/formats/serverSentEvents.ts';
import { chatEvents, chatRequest, chatResponse } from '../../../support/conversations.ts';
import { readEvents, splits } from '../streams.ts';
import {
  asAnswered,
  asCarried,
  preservedInAnswers,
  preservedInRequests,
  withEarlyIds,
  withoutNewIds,
} from './preserved.ts';
import { assertWellFormed, jsonOf } from './wellFormed.ts';

const request: ChatRequest = { model: 'familyb-5.2', system: [], messages: [] };
const context = { request, now: 1_790_000_000 };

function encodeStream(events: readonly ChatEvent[]): string {
  const encoder = responses.createStreamEncoder(context);
  return [...events.flatMap((event) => encoder.push(event)), ...encoder.end()].map(formatServerSentEvent).join('');
}

describe('Responses format round trip', () => {
  it('keeps every request that the format can carry', () => {
    fc.assert(
      fc.property(chatRequest(preservedInRequests), (wanted) => {
        const wire = JSON.parse(JSON.stringify(responses.encodeRequest(wanted)));
        assert.ok(requestSchema.safeParse(wire).success);
        assert.deepEqual(responses.decodeRequest(wire), asCarried(wanted));
      }),
    );
  });

  it('encodes the same request identically every time', () => {
    fc.assert(
      fc.property(chatRequest(preservedInRequests), (wanted) => {
        const once = responses.encodeRequest(wanted);
        const again = responses.encodeRequest(responses.decodeRequest(JSON.parse(JSON.stringify(once))));
        assert.equal(JSON.stringify(again), JSON.stringify(once));
      }),
    );
  });

  it('keeps every answer that the format can carry', () => {
    fc.assert(
      fc.property(chatResponse(preservedInAnswers), (wanted) => {
        const wire = JSON.parse(JSON.stringify(responses.encodeResponse(wanted, context)));
        assert.ok(responseSchema.safeParse(wire).success);
        assert.deepEqual(withoutNewIds(responses.decodeResponse(wire), wanted), asAnswered(wanted));
      }),
    );
  });

  it('keeps every stream that the format can carry, however its bytes are split', () => {
    fc.assert(
      fc.property(chatEvents(preservedInAnswers), splits, (events, cuts) => {
        const wanted = assembleResponse(events);
        const decoded = assembleResponse(readEvents(responses, encodeStream(withEarlyIds(events)), cuts));
        assert.deepEqual(withoutNewIds(decoded, wanted), asAnswered(wanted));
      }),
    );
  });

  it('returns the same events however the bytes of a stream are split', () => {
    fc.assert(
      fc.property(chatEvents(preservedInAnswers), splits, (events, cuts) => {
        const wire = encodeStream(events);
        assert.deepEqual(readEvents(responses, wire, cuts), readEvents(responses, wire));
      }),
    );
  });

  it('writes stream events in the order that the format requires', () => {
    fc.assert(
      fc.property(chatEvents(preservedInAnswers), (events) => {
        const wire = jsonOf(encodeStream(events));
        for (const event of wire) assert.ok(eventSchema.safeParse(event).success, JSON.stringify(event));
        assertWellFormed(wire);
      }),
    );
  });

  it('keeps that order in a stream that fails anywhere, and ends with the failure', () => {
    fc.assert(
      fc.property(chatEvents(preservedInAnswers), fc.nat(), (events, place) => {
        const until = events.slice(0, 1 + (place % (events.length - 1))).filter(({ type }) => type !== 'finish');
        const failed: ChatEvent[] = [...until, { type: 'error', error: { kind: 'overloaded', message: 'Busy' } }];
        const wire = jsonOf(encodeStream(failed));
        assert.equal(wire.at(-1)?.type, 'response.failed');
        assertWellFormed(wire);
        const last = readEvents(responses, encodeStream(failed)).at(-1);
        const error = { kind: 'server', message: 'Busy', type: 'server_error', code: 'server_error' };
        assert.deepEqual(last, { type: 'error', error });
      }),
    );
  });
});
