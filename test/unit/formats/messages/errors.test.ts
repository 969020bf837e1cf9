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

describe('Errors in the messages format', () => {
  for (const [kind, status, type] of table) {
    it(`have type ${type} and status ${status} for kind ${kind}, encoded and decoded`, () => {
      const encoded = messages.encodeError({ kind, message: 'Why.' });
      assert.deepEqual(encoded, { status, body: { type: 'error', error: { type, message: 'Why.' } } });
      assert.deepEqual(messages.decodeError(encoded.body), { kind, message: 'Why.', type });
    });
  }

  it('are API errors for network failures and malformed answers', () => {
    for (const kind of ['network', 'malformed'] as const) {
      const { status, body } = messages.encodeError({ kind, message: 'Why.' });
      assert.deepEqual([status, body.error.type], [502, 'api_error']);
    }
  });

  it('carry their code in the details, encoded and decoded', () => {
    const { body } = messages.encodeError({ kind: 'notFound', message: 'Why.', code: 'thread_not_found' });
    assert.deepEqual(body.error.details, { error_code: 'thread_not_found' });
    assert.equal(messages.decodeError(body)?.code, 'thread_not_found');
  });

  it('keep an error status and the request id', () => {
    const error = { kind: 'overloaded', message: 'Busy', status: 503, requestId: 'req_1' } as const;
    const { status, body } = messages.encodeError(error);
    assert.deepEqual([status, body.request_id], [503, 'req_1']);
    assert.equal(messages.encodeError({ ...error, status: 200 }).status, 529);
    assert.equal(messages.decodeError(body)?.requestId, 'req_1');
  });

  it('are of kind server if their type is unknown', () => {
    const body = { type: 'error', error: { type: 'of_the_future', message: 'Why.' }, request_id: null };
    assert.deepEqual(messages.decodeError(body), { kind: 'server', message: 'Why.', type: 'of_the_future' });
  });

  it('are not recognized in other bodies', () => {
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
