import assert from 'node:assert/strict';
import type { ErrorKind } from '../../../../src/formats/apiError.ts';
import { responses } from '../../../../src/formats/responses/index.ts';

const table: readonly (readonly [ErrorKind, number, string, string | null])[] = [
  ['authentication', 401, 'invalid_request_error', 'invalid_api_key'],
  ['credit', 402, 'insufficient_quota', 'insufficient_quota'],
  ['notFound', 404, 'invalid_request_error', 'model_not_found'],
  ['rateLimit', 429, 'rate_limit_error', 'rate_limit_exceeded'],
  ['overloaded', 503, 'server_error', 'overloaded'],
  ['invalidRequest', 400, 'invalid_request_error', null],
  ['server', 500, 'server_error', null],
];

describe('Errors in the responses format', () => {
  for (const [kind, status, type, code] of table) {
    it(`have type ${type}, code ${code} and status ${status} for kind ${kind}, encoded and decoded`, () => {
      const encoded = responses.encodeError({ kind, message: 'Why.' });
      assert.deepEqual(encoded, { status, body: { error: { message: 'Why.', type, param: null, code } } });
      assert.equal(responses.decodeError(encoded.body)?.kind, kind);
    });
  }

  it('are recognized in a failed answer, but not in a completed one', () => {
    const failed = { object: 'response', status: 'failed', error: { code: 'rate_limit_exceeded', message: 'Slow' } };
    assert.deepEqual(responses.decodeError(failed), {
      kind: 'rateLimit',
      message: 'Slow',
      code: 'rate_limit_exceeded',
    });
    assert.equal(responses.decodeError({ ...failed, status: 'completed', error: null }), undefined);
  });

  const codes: readonly (readonly [string, ErrorKind])[] = [
    ['invalid_prompt', 'invalidRequest'],
    ['invalid_image_url', 'invalidRequest'],
    ['image_too_large', 'invalidRequest'],
    ['server_is_overloaded', 'overloaded'],
    ['server_error', 'server'],
    ['vector_store_timeout', 'server'],
  ];
  for (const [code, kind] of codes) {
    it(`are of kind ${kind} if an answer fails with ${code}`, () => {
      assert.equal(responses.decodeError({ error: { code, message: 'Why.' } })?.kind, kind);
    });
  }

  it('always have a code in failed answers, so that clients know whether to retry', () => {
    const codeOf = (kind: ErrorKind) => {
      const encoder = responses.createStreamEncoder({ request: { model: 'm', system: [], messages: [] }, now: 0 });
      encoder.push({ type: 'start', id: 'resp_1', model: 'm' });
      const failed = encoder.push({ type: 'error', error: { kind, message: 'Why.' } }).at(-1);
      return JSON.parse(failed?.data ?? '').response.error.code;
    };
    assert.deepEqual((['invalidRequest', 'server', 'rateLimit'] as const).map(codeOf), [
      'invalid_prompt',
      'server_error',
      'rate_limit_exceeded',
    ]);
  });
});
