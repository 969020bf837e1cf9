import assert from 'node:assert/strict';
import type { ErrorKind } from '../../../../src/formats/apiError.ts';
import { messages } from '../../../../src/formats/messages/index.ts';

const table: readonly (readonly [ErrorKind, number, string])[] = [
  ['authentication', 401, 'authentication_error'],
  ['credit', 402, 'billing_error'],
  ['permission', 403, 'permission_error'],
  ['notFound', 404, 'not_found_error'],
  ['rateLimit', 429, 'rate_limit_error'],
  ['overloaded', 529, 'overloaded_error'],
  ['invalidRequest', 400, 'invalid_request_error'],
  ['tooLarge', 413, 'request_too_large'],
  ['timeout', 504, 'timeout_error'],
  ['server', 500, 'api_error'],
];

describe('Errors of the messages format', () => {
  for (const [kind, status, type] of table) {
    it(`are ${type} with status ${status} for the kind ${kind}, both ways`, () => {
      const encoded = messages.encodeError({ kind, message: 'Why.' });
      assert.deepEqual(encoded, { status, body: { type: 'error', error: { type, message: 'Why.' } } });
      assert.deepEqual(messages.decodeError(encoded.body), { kind, message: 'Why.', type });
    });
  }

  it('are errors of the service for failures of the network and bad answers', () => {
    for (const kind of ['network', 'malformed'] as const) {
      const { status, body } = messages.encodeError({ kind, message: 'Why.' });
      assert.deepEqual([status, body.error.type], [502, 'api_error']);
    }
  });

  it('tell their code among the details, both ways', () => {
    const { body } = messages.encodeError({ kind: 'notFound', message: 'Why.', code: 'thread_not_found' });
    assert.deepEqual(body.error.details, { error_code: 'thread_not_found' });
    assert.equal(messages.decodeError(body)?.code, 'thread_not_found');
  });

  it('keep a status that is an error, and the request id', () => {
    const error = { kind: 'overloaded', message: 'Busy', status: 503, requestId: 'req_1' } as const;
    const { status, body } = messages.encodeError(error);
    assert.deepEqual([status, body.request_id], [503, 'req_1']);
    assert.equal(messages.encodeError({ ...error, status: 200 }).status, 529);
    assert.equal(messages.decodeError(body)?.requestId, 'req_1');
  });

  it('are of the kind server when their type is unknown', () => {
    const body = { type: 'error', error: { type: 'of_the_future', message: 'Why.' }, request_id: null };
    assert.deepEqual(messages.decodeError(body), { kind: 'server', message: 'Why.', type: 'of_the_future' });
  });

  it('are not seen in other bodies', () => {
    const others = [
      null,
      'Bad gateway',
      {},
      { type: 'message' },
      { error: { message: 'x' } },
      { type: 'error', error: null },
    ];
    for (const body of others) assert.equal(messages.decodeError(body), undefined);
  });
});
