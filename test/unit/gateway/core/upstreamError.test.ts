import assert from 'node:assert/strict';
import { chatCompletions } from '../../../../src/formats/chatCompletions/index.ts';
import { readError } from '../../../../src/gateway/core/upstreamError.ts';

describe('An error of an upstream', () => {
  const messageOf = (body: string) => readError({ status: 400, headers: {}, body }, chatCompletions).message;
  const bodies = [
    { message: 'THE REASON', type: 'x' },
    { detail: 'THE REASON' },
    { detail: [{ loc: ['body', 'top_p'], msg: 'THE REASON' }] },
    { errors: [{ title: 'THE REASON' }] },
    { error: { error: { reason: 'THE REASON' } } },
    { detail: JSON.stringify({ error: { message: 'THE REASON' } }) },
    [{ error: { code: 400, message: 'THE REASON', status: 'INVALID_ARGUMENT' } }],
  ];
  for (const body of bodies.map((each) => JSON.stringify(each))) {
    it(`gives its reason to the caller from ${body}`, () => {
      assert.equal(messageOf(body), 'THE REASON');
    });
  }

  it('has the status as its message if the body contains no sentence', () => {
    for (const body of ['{}', '[]', '{"code":7}', '<html>']) {
      assert.equal(messageOf(body), 'The upstream answered with status 400.');
    }
  });

  it('has a message of at most 500 characters if its shape is unknown', () => {
    assert.equal(messageOf(JSON.stringify({ detail: 'x'.repeat(9_000) })).length, 500);
  });
});
