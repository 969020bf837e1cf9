import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ErrorKind } from '../../../src/formats/apiError.ts';
import { networkError } from '../../../src/service/networkFailure.ts';
import { ServiceError } from '../../../src/service/serviceError.ts';

function from(status: number, body: unknown, headers: Record<string, string> = {}): ServiceError {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return ServiceError.fromResponse(status, new Headers(headers), text);
}

describe('ServiceError from an answer', () => {
  describe('kind by status, if the body has no information', () => {
    const kinds: readonly (readonly [status: number, kind: ErrorKind])[] = [
      [400, 'invalidRequest'],
      [401, 'authentication'],
      [402, 'credit'],
      [403, 'permission'],
      [404, 'notFound'],
      [408, 'timeout'],
      [409, 'invalidRequest'],
      [413, 'tooLarge'],
      [422, 'invalidRequest'],
      [429, 'rateLimit'],
      [500, 'server'],
      [502, 'server'],
      [503, 'overloaded'],
      [504, 'timeout'],
      [529, 'overloaded'],
      [599, 'server'],
    ];
    for (const [status, kind] of kinds) it(`${status} is ${kind}`, () => assert.equal(from(status, '').kind, kind));
  });

  describe('error bodies of both vendors', () => {
    it('messages: type, message and request id', () => {
      const error = from(529, {
        type: 'error',
        error: { type: 'overloaded_error', message: 'Overloaded' },
        request_id: 'req_1',
      });
      assert.deepEqual(
        [error.kind, error.status, error.message, error.type, error.requestId],
        ['overloaded', 529, 'Overloaded', 'overloaded_error', 'req_1'],
      );
    });

    it('messages: a billing error means missing credit', () => {
      const error = from(400, { type: 'error', error: { type: 'billing_error', message: 'Add credit.' } });
      assert.equal(error.kind, 'credit');
    });

    it('chat completions: type, code and param', () => {
      const error = from(404, {
        error: { message: 'No such model.', type: 'invalid_request_error', param: 'model', code: 'model_not_found' },
      });
      assert.deepEqual(
        [error.kind, error.message, error.type, error.code, error.param],
        ['notFound', 'No such model.', 'invalid_request_error', 'model_not_found', 'model'],
      );
    });

    it('chat completions: insufficient quota means missing credit, not a rate limit, and is not retried', () => {
      const error = from(429, { error: { message: 'Quota', type: 'insufficient_quota', code: 'insufficient_quota' } });
      assert.deepEqual([error.kind, error.repeat], ['credit', 'never']);
    });

    it('a generic type yields to the status', () => {
      const error = from(401, { error: { message: 'Bad key', type: 'invalid_request_error' } });
      assert.equal(error.kind, 'authentication');
    });

    it('a generic type decides if the status is not conclusive', () => {
      assert.equal(from(200, { error: { message: 'Bad', type: 'invalid_request_error' } }).kind, 'invalidRequest');
    });
  });

  describe('error bodies of other services', () => {
    const cases: readonly (readonly [title: string, body: unknown, message: string])[] = [
      ['an error that is a text', { error: 'No route' }, 'No route'],
      ['an OAuth error', { error: 'invalid', error_description: 'Token expired' }, 'Token expired'],
      ['a message at the top', { message: 'Nope', code: 17 }, 'Nope'],
      ['a detail', { detail: 'Not Found' }, 'Not Found'],
      ['a list of details', { detail: [{ msg: 'field required', loc: ['body'] }] }, 'field required'],
      ['a list of errors', { errors: [{ message: 'First' }, { message: 'Second' }] }, 'First'],
      ['an error in a list', [{ error: { message: 'Listed' } }], 'Listed'],
      ['problem details', { type: 'about:blank', title: 'Out of stock', status: 500 }, 'Out of stock'],
      ['JSON within the message', { error: { message: '{"error":{"message":"Inner"}}' } }, 'Inner'],
      ['plain text', 'upstream connect error', 'upstream connect error'],
      ['a JSON text', '"quoted"', 'quoted'],
      ['a page with a title', '<!DOCTYPE html><html><head><title>502 Bad\nGateway</title></head>x', '502 Bad Gateway'],
      ['a page without', '<html><style>b{}</style><body><h1>Oh</h1>&nbsp;<p>no</p><script>x()</script>', 'Oh no'],
    ];
    for (const [title, body, message] of cases) {
      it(`${title}`, () => assert.equal(from(500, body).message, message));
    }

    for (const body of ['', '{}', 'null', '[]', '{"error":null}', '<html></html>']) {
      it(`falls back to the status for ${JSON.stringify(body)}`, () => {
        assert.equal(from(502, body).message, 'The service returned HTTP 502 (Bad gateway) without a reason.');
      });
    }

    it('truncates a long text', () => assert.equal(from(500, 'x'.repeat(5000)).message.length, 1000));

    it('never throws and never shows markup', () => {
      const json = fc.json();
      fc.assert(
        fc.property(fc.oneof(fc.string(), json), fc.integer({ min: 300, max: 599 }), (body, status) => {
          assert.ok(from(status, body).message !== '');
        }),
      );
      assert.doesNotMatch(from(500, `<html><body>${'<p class="x">a</p>'.repeat(5000)}`).message, /[<>]/);
    });

    it('ignores names of prototype properties', () => {
      assert.equal(
        from(500, '{"__proto__":{"message":"x"},"constructor":{"message":"y"}}').message.includes('x'),
        false,
      );
      assert.equal(from(400, { error: { type: 'constructor', message: 'm' } }).kind, 'invalidRequest');
    });
  });

  it('redacts keys in the message', () => {
    const error = from(401, { error: { message: 'Incorrect key: key_9f8e7d6c5b4a. Bearer abcdefgh' } });
    assert.equal(error.message, 'Incorrect key: key_… Bearer …');
  });

  it('reads the request id under both names', () => {
    assert.equal(from(500, '', { 'request-id': 'req_a' }).requestId, 'req_a');
    assert.equal(from(500, '', { 'x-request-id': 'req_b' }).requestId, 'req_b');
  });

  it('reads the retry delay', () => assert.equal(from(429, '', { 'retry-after': '2' }).retryAfterMs, 2000));

  it('rejects a redirect and names its target without the query', () => {
    const error = from(302, 'x', { location: 'https://elsewhere.example/login?token=abc' });
    assert.equal(error.kind, 'malformed');
    assert.match(error.message, /elsewhere\.example\/login\. Redirects are not followed/);
    assert.doesNotMatch(error.message, /abc/);
  });

  describe('can be retried', () => {
    for (const status of [408, 429, 500, 502, 503, 504, 529]) {
      it(`after ${status}`, () => assert.equal(from(status, '').repeat, 'safe'));
    }
    for (const status of [301, 400, 401, 402, 403, 404, 409, 413, 422]) {
      it(`not after ${status}`, () => assert.equal(from(status, '').repeat, 'never'));
    }
    it('as specified by the service', () => {
      assert.equal(from(409, '', { 'x-should-retry': 'true' }).repeat, 'safe');
      assert.equal(from(500, '', { 'x-should-retry': 'false' }).repeat, 'never');
    });
  });

  it('is converted to a value without missing properties', () => {
    assert.deepEqual(from(404, { error: { message: 'm' } }).toApiError(), {
      kind: 'notFound',
      message: 'm',
      status: 404,
    });
  });
});

describe('ServiceError from the network', () => {
  function network(code: string): ServiceError {
    const cause = Object.assign(new Error(`connect ${code}`), { code });
    return networkError(new TypeError('fetch failed', { cause }), 'example.com');
  }

  const cases: readonly (readonly [code: string, says: RegExp, repeat: string])[] = [
    ['ECONNREFUSED', /Nothing responds at example\.com/, 'safe'],
    ['ENOTFOUND', /name example\.com was not found/, 'safe'],
    ['EAI_AGAIN', /could not be resolved/, 'safe'],
    ['UND_ERR_CONNECT_TIMEOUT', /connection to example\.com timed out/, 'safe'],
    ['ECONNRESET', /was lost before a response/, 'unsure'],
    ['UND_ERR_SOCKET', /was lost before a response/, 'unsure'],
    ['CERT_HAS_EXPIRED', /expired/, 'never'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /not trusted/, 'never'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /certificate authority/, 'never'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /not valid for the name/, 'never'],
    ['EODD', /No response from example\.com \(connect EODD\)/, 'unsure'],
  ];
  for (const [code, says, repeat] of cases) {
    it(`explains ${code}`, () => {
      const error = network(code);
      assert.match(error.message, says);
      assert.deepEqual([error.kind, error.code, error.repeat], ['network', code, repeat]);
    });
  }

  const NOTHING_WAS_SENT = [
    ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'],
    ...['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ...['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_NAME_NOT_RESOLVED', 'ERR_PROXY_CONNECTION_FAILED'],
  ];
  for (const code of NOTHING_WAS_SENT) {
    it(`states that a request that ends with ${code} cannot be billed`, () => {
      assert.equal(network(code).mayBeBilled, false);
      assert.equal(network(code).toApiError().mayBeBilled, undefined);
    });
  }

  it('states that a request may be billed once it was sent', () => {
    for (const code of ['ECONNRESET', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'HPE_INVALID_CONSTANT', 'EODD'])
      assert.equal(network(code).mayBeBilled, true, code);
    const read = Object.assign(new Error('read ETIMEDOUT'), { code: 'ETIMEDOUT', syscall: 'read' });
    assert.equal(networkError(new TypeError('fetch failed', { cause: read }), 'h').mayBeBilled, true);
  });

  it('distinguishes a failed handshake from a lost connection', () => {
    const words = 'Client network socket disconnected before secure TLS connection was established';
    const cause = Object.assign(new Error(words), { code: 'ECONNRESET' });
    assert.equal(networkError(new TypeError('fetch failed', { cause }), 'h').mayBeBilled, false);
  });

  it('explains what to do if the proxy requires other credentials', () => {
    const cause = new Error('Proxy response (407) !== 200 when HTTP Tunneling');
    const error = networkError(new TypeError('fetch failed', { cause }), 'example.com');
    assert.match(error.message, /user name and password .* http\.proxy/);
    assert.equal(error.repeat, 'never');
  });

  it('treats the library’s own silence limit as a timeout', () => {
    assert.equal(network('UND_ERR_HEADERS_TIMEOUT').kind, 'timeout');
  });

  it('finds the cause among several addresses that were tried', () => {
    const tried = [Object.assign(new Error('a'), { code: 'ECONNREFUSED' })];
    const error = new TypeError('fetch failed', { cause: new AggregateError(tried) });
    assert.equal(networkError(error, 'h').code, 'ECONNREFUSED');
  });

  it('accepts a value that is not an error', () => {
    assert.match(networkError('odd', 'h').message, /no reason given/);
  });
});
