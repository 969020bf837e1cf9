import assert from 'node:assert/strict';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { json, send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { PAIRS, startRouter } from '../support/routed.ts';

/** An error as a server of the format writes it. */
const ERRORS: Readonly<Record<FormatName, (type: string, code: string | null) => object>> = {
  'chat-completions': (type, code) => ({ error: { message: 'Words of the upstream.', type, param: null, code } }),
  responses: (type, code) => ({ error: { message: 'Words of the upstream.', type, param: null, code } }),
  messages: (type) => ({ type: 'error', error: { type, message: 'Words of the upstream.' }, request_id: 'req_up' }),
};

const CASES = [
  { status: 400, vendorB: 'invalid_request_error', other: ['invalid_request_error', null] },
  { status: 402, vendorB: 'billing_error', other: ['insufficient_quota', 'insufficient_quota'] },
  { status: 404, vendorB: 'not_found_error', other: ['invalid_request_error', 'model_not_found'] },
  { status: 413, vendorB: 'request_too_large', other: ['invalid_request_error', 'request_too_large'] },
  { status: 429, vendorB: 'rate_limit_error', other: ['rate_limit_error', 'rate_limit_exceeded'] },
  { status: 500, vendorB: 'api_error', other: ['server_error', null] },
] as const;

interface Body {
  readonly type?: string;
  readonly error: { readonly type: string; readonly message: string; readonly code?: string | null };
  readonly request_id?: string;
}

function question(caller: FormatName, stream: boolean): string {
  const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hi' }] }];
  return JSON.stringify(wireFormats[caller].encodeRequest({ model: 'a', system: [], messages, stream }));
}

for (const { caller, upstream } of PAIRS) {
  describe(`errors of ${upstream} for a client of ${caller}`, () => {
    afterEach(closeAll);

    const ask = async (refusal: { status: number; body: unknown; headers?: Record<string, string> }) => {
      const running = await startRouter([{ formats: [upstream], script: () => refusal }]);
      const path = `/api/v1${wireFormats[caller].path}`;
      return send({ port: running.port, path, body: question(caller, true) });
    };

    for (const { status, vendorB, other } of CASES) {
      it(`have status ${status}, the type, the message, and the request id`, async () => {
        const [type, code] = upstream === 'messages' ? [vendorB, null] : other;
        const answer = await ask({ status, body: ERRORS[upstream](type, code), headers: { 'x-request-id': 'req_up' } });
        assert.equal(answer.status, status);
        assert.equal(answer.headers['content-type'], 'application/json');
        const body = json(answer) as Body;
        assert.equal(body.error.message, 'Words of the upstream.');
        assert.deepEqual([answer.headers['request-id'], answer.headers['x-request-id']], ['req_up', 'req_up']);
        if (caller === 'messages') {
          assert.deepEqual([body.type, body.error.type, body.request_id], ['error', vendorB, 'req_up']);
        } else assert.deepEqual([body.error.type, body.error.code], other);
      });
    }

    for (const status of [401, 403]) {
      it(`are not reported as a wrong local key if the upstream rejects the gateway's key with ${status}`, async () => {
        const answer = await ask({ status, body: ERRORS[upstream]('authentication_error', null) });
        assert.equal(answer.status, 502);
        assert.match((json(answer) as Body).error.message, /server0.*rejected.*Words of the upstream/);
      });
    }

    it('report an overloaded upstream as the caller expects', async () => {
      const sent = upstream === 'messages' ? 529 : 503;
      const type = upstream === 'messages' ? 'overloaded_error' : 'server_error';
      const answer = await ask({ status: sent, body: ERRORS[upstream](type, 'overloaded') });
      const sameVendor = (caller === 'messages') === (upstream === 'messages');
      assert.equal(answer.status, sameVendor ? sent : caller === 'messages' ? 529 : 503);
      if (caller === 'messages') assert.equal((json(answer) as Body).error.type, 'overloaded_error');
    });

    for (const [name, body] of [
      ['a page', '<html>Bad gateway</html>'],
      ['an empty object', {}],
      ['another vendor’s error', { detail: 'Not today.' }],
    ] as const) {
      it(`are valid errors even if the upstream sends ${name}`, async () => {
        const answer = await ask({ status: 502, body });
        assert.equal(answer.status, 502);
        assert.ok((json(answer) as Body).error.message.length > 0);
      });
    }

    it('include the retry delay and the rate limits, under the caller’s names', async () => {
      const limits: Record<string, string> =
        upstream === 'messages'
          ? {
              'anthropic-ratelimit-requests-limit': '50',
              'anthropic-ratelimit-requests-remaining': '0',
              'anthropic-ratelimit-requests-reset': new Date(Date.now() + 90_000).toISOString(),
            }
          : {
              'x-ratelimit-limit-requests': '50',
              'x-ratelimit-remaining-requests': '0',
              'x-ratelimit-reset-requests': '1m30s',
            };
      const headers = { 'retry-after': '90', ...limits };
      const answer = await ask({ status: 429, body: ERRORS[upstream]('rate_limit_error', null), headers });
      assert.equal(answer.headers['retry-after'], '90');
      if (caller === 'messages') {
        assert.equal(answer.headers['anthropic-ratelimit-requests-limit'], '50');
        const reset = Date.parse(String(answer.headers['anthropic-ratelimit-requests-reset']));
        assert.ok(Math.abs(reset - Date.now() - 90_000) < 20_000);
      } else {
        assert.equal(answer.headers['x-ratelimit-remaining-requests'], '0');
        assert.match(String(answer.headers['x-ratelimit-reset-requests']), /^1m\d+s$/);
      }
    });
  });
}
