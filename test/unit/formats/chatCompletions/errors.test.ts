import assert from 'node:assert/strict';
import type { ApiError, ErrorKind } from '../../../../src/formats/apiError.ts';
import { chatCompletions } from '../../../../src/formats/chatCompletions/index.ts';

const STATUSES: Readonly<Record<ErrorKind, number>> = {
  authentication: 401,
  credit: 402,
  permission: 403,
  notFound: 404,
  rateLimit: 429,
  overloaded: 503,
  invalidRequest: 400,
  tooLarge: 413,
  timeout: 504,
  network: 502,
  malformed: 502,
  server: 500,
};
const KINDS = Object.keys(STATUSES) as ErrorKind[];

describe('Chat-completions error', () => {
  for (const kind of KINDS) {
    it(`of kind ${kind} has its status, and its kind can be read from the body`, () => {
      const { status, body } = chatCompletions.encodeError({ kind, message: 'Why' });
      assert.equal(status, STATUSES[kind]);
      assert.equal(chatCompletions.decodeError(body)?.kind, kind);
      assert.equal(body.error.message, 'Why');
    });
  }

  it('keeps its original message and status', () => {
    const error: ApiError = {
      kind: 'invalidRequest',
      message: 'Too long',
      status: 422,
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
      param: 'messages',
    };
    const { status, body } = chatCompletions.encodeError(error);
    const { status: _, ...rest } = error;
    assert.equal(status, 422);
    assert.deepEqual(chatCompletions.decodeError(body), rest);
  });

  it('gets the status of its kind if it came with a success status', () => {
    assert.equal(chatCompletions.encodeError({ kind: 'overloaded', message: 'Busy', status: 200 }).status, 503);
  });

  it('translates error types of the messages format', () => {
    const { body } = chatCompletions.encodeError({
      kind: 'authentication',
      message: 'No',
      type: 'authentication_error',
    });
    assert.deepEqual(body.error, {
      message: 'No',
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_api_key',
    });
  });

  const bodies: readonly (readonly [object, ErrorKind])[] = [
    [{ error: { message: 'm', type: 'invalid_request_error', code: 'invalid_api_key' } }, 'authentication'],
    [{ error: { message: 'm', type: 'insufficient_quota', code: null } }, 'credit'],
    [{ error: { message: 'm', type: 'requests', code: null } }, 'rateLimit'],
    [{ error: { message: 'm', type: 'invalid_request_error', param: 'model', code: null } }, 'invalidRequest'],
    [{ error: { message: 'm', code: 402 } }, 'credit'],
    [{ error: { message: 'm', type: 'overloaded_error' } }, 'overloaded'],
    [{ error: { message: 'm', type: 'toString', code: 'constructor' } }, 'server'],
    [{ object: 'error', message: 'm', type: 'NotFoundError', code: 404 }, 'notFound'],
    [{ error: 'm' }, 'server'],
  ];
  for (const [body, kind] of bodies) {
    it(`is recognized as ${kind} in ${JSON.stringify(body)}`, () => {
      const error = chatCompletions.decodeError(body);
      assert.equal(error?.kind, kind);
      assert.equal(error?.message, 'm');
    });
  }

  it('is not recognized in other bodies', () => {
    for (const body of [
      undefined,
      null,
      'Busy',
      [],
      {},
      { error: null },
      { error: {} },
      { choices: [], error: null },
    ]) {
      assert.equal(chatCompletions.decodeError(body), undefined, JSON.stringify(body));
    }
  });
});
