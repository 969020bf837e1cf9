import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { assembleResponse } from '../../../../src/formats/answer.ts';
import { responses } from '../../../../src/formats/responses/index.ts';
import { formatServerSentEvent } from '../../../../src/formats/serverSentEvents.ts';
import { chatEvents, chatRequest, withDetails } from '../../../support/conversations.ts';
import { openResponse, openResponsesEvent } from './openResponses.ts';
import { preservedInAnswers, preservedInRequests } from './preserved.ts';
import { assertFits, assertWellFormed, jsonOf } from './wellFormed.ts';

const NOW = 1_790_000_000;
const events = withDetails(chatEvents(preservedInAnswers));
const context = chatRequest(preservedInRequests).map((request) => ({ request, now: NOW, inputTokens: 5 }));

describe('Conformance to Open Responses', () => {
  it('holds for any complete answer', () => {
    fc.assert(
      fc.property(events, context, (said, asked) => {
        assertFits(openResponse, responses.encodeResponse(assembleResponse(said), asked));
      }),
    );
  });

  it('holds for the events of any stream', () => {
    fc.assert(
      fc.property(events, context, (said, asked) => {
        const encoder = responses.createStreamEncoder(asked);
        const encoded = [...said.flatMap((event) => encoder.push(event)), ...encoder.end()];
        assertWellFormed(jsonOf(encoded.map(formatServerSentEvent).join('')));
      }),
    );
  });

  it('fails for an answer without one of its properties, and for an event with such an answer', () => {
    const request = { model: 'm', system: [], messages: [] };
    const parts = [{ type: 'text', text: 'Hi' }] as const;
    const answer = responses.encodeResponse(
      { id: 'a', model: 'm', parts, finishReason: 'stop' },
      { request, now: NOW },
    );
    assertFits(openResponse, answer);
    for (const member of Object.keys(openResponse.shape)) {
      const { [member]: _, ...lacking } = answer as Record<string, unknown>;
      assert.throws(() => assertFits(openResponse, lacking), new RegExp(member), member);
      const event = { type: 'response.completed', sequence_number: 0, response: lacking };
      assert.throws(() => assertFits(openResponsesEvent, event), new RegExp(member), member);
    }
  });

  it('includes a completion time only in completed answers', () => {
    const completedAt = (finishReason: 'stop' | 'length') => {
      const answer = { id: 'a', model: 'm', parts: [], finishReason };
      const context = { request: { model: 'm', system: [], messages: [] }, now: NOW };
      return responses.encodeResponse(answer, context).completed_at;
    };
    assert.deepEqual([completedAt('stop'), completedAt('length')], [NOW, null]);
  });
});
