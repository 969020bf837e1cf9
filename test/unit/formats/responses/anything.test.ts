import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { FormatError } from '../../../../src/formats/apiError.ts';
import { responses } from '../../../../src/formats/responses/index.ts';
import { formatServerSentEvent } from '../../../../src/formats/serverSentEvents.ts';
import { chatEvents, chatRequest } from '../../../support/conversations.ts';
import { readEvents } from '../streams.ts';
import { preservedInAnswers, preservedInRequests } from './preserved.ts';
import { assertWellFormed, jsonOf } from './wellFormed.ts';

const request = { model: 'm', system: [], messages: [] };

/** Runs a function that may only fail with an error that says what is wrong. */
function refusedAtMost(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof FormatError, String(error));
    assert.notEqual(error.message, '');
  }
}

/** Returns the value with another value at one position, which `dice` chooses. */
function damaged(value: unknown, dice: readonly number[], by: unknown): unknown {
  const [first, ...rest] = dice;
  if (first === undefined || typeof value !== 'object' || value === null) return by;
  const keys = Object.keys(value);
  const key = keys[first % Math.max(keys.length, 1)];
  if (key === undefined) return by;
  const copy: Record<string, unknown> = { ...value };
  copy[key] = damaged(copy[key], rest, by);
  return Array.isArray(value) ? Object.values(copy) : copy;
}

const damage = fc.tuple(fc.array(fc.nat(50), { minLength: 1, maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }));

describe('Responses format with arbitrary input', () => {
  it('decodes a body or reports what is wrong with it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        refusedAtMost(() => responses.decodeRequest(body));
        refusedAtMost(() => responses.decodeResponse(body));
        responses.decodeError(body);
      }),
    );
  });

  it('decodes a damaged request or reports what is wrong with it', () => {
    fc.assert(
      fc.property(chatRequest(preservedInRequests), damage, (wanted, [dice, by]) => {
        const wire = JSON.parse(JSON.stringify(responses.encodeRequest(wanted)));
        refusedAtMost(() => responses.encodeRequest(responses.decodeRequest(damaged(wire, dice, by))));
      }),
    );
  });

  it('decodes a stream with damaged events to the end, and the result can be encoded again', () => {
    const damages = fc.array(fc.tuple(fc.nat(), damage), { maxLength: 4 });
    fc.assert(
      fc.property(chatEvents(preservedInAnswers), damages, (events, places) => {
        const encoder = responses.createStreamEncoder({ request, now: 0 });
        const sent: unknown[] = [...events.flatMap((event) => encoder.push(event)), ...encoder.end()].map(({ data }) =>
          JSON.parse(data),
        );
        for (const [place, [dice, by]] of places) {
          sent[place % sent.length] = damaged(sent[place % sent.length], dice, by);
        }
        const read = readEvents(responses, sent.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
        assert.match(read.at(-1)?.type ?? '', /^(finish|error)$/);
        const again = responses.createStreamEncoder({ request, now: 0 });
        const written = [...read.flatMap((event) => again.push(event)), ...again.end()];
        const wire = jsonOf(written.map(formatServerSentEvent).join(''));
        if (wire[0]?.type === 'error') assert.equal(wire.length, 1);
        else assertWellFormed(wire);
      }),
    );
  });
});
