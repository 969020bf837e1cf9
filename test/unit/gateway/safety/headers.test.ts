import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { FORMAT_NAMES } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { AUTHORIZED, json, LOCAL_KEY, send, sendRaw } from '../support/client.ts';
import { closeAll, SERVICE_KEY, startGateway, startPair } from '../support/gateway.ts';
import { InstantUpstream } from '../support/instantUpstream.ts';
import { PAIRS, startRouter } from '../support/routed.ts';

const LINE = 'GET /api/v1/models HTTP/1.1\r\n';
const POST_LINE = 'POST /api/v1/messages HTTP/1.1\r\n';
const HOST = 'Host: localhost\r\n';
const BEARER = `Authorization: Bearer ${LOCAL_KEY}\r\n`;
const CLOSE = 'Connection: close\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';

function statusOf(answer: string): string {
  return answer.slice(9, 12);
}

describe('a Connection header with long whitespace', () => {
  afterEach(closeAll);

  it('is parsed in linear time, in a request and an answer', async () => {
    const connection = `x-mine, x${' '.repeat(60_000)}x`;
    const script = (response: ServerResponse) => {
      response.socket?.end(`HTTP/1.1 200 OK\r\nConnection: ${connection}\r\nX-Mine: 1\r\nContent-Length: 2\r\n\r\n{}`);
    };
    const { port, service } = await startPair(script);
    const before = process.cpuUsage();
    const headers = { ...AUTHORIZED, connection, 'x-mine': '1' };
    const answer = await send({ port, path: '/v1/messages', headers, body: '{}' });
    // It took 5 seconds for each. On a busy machine, time also passes while the process waits for its turn.
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 2_500_000, `${user + system} µs`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['x-mine'], undefined);
    assert.equal(service.requests[0]?.headers['x-mine'], undefined);
  });
});

describe('repeated headers', () => {
  afterEach(closeAll);

  for (const [what, request, status] of [
    ['a foreign host before the right one', `${LINE}Host: evil.example\r\n${HOST}${BEARER}${CLOSE}`, '400'],
    ['a foreign host behind the right one', `${LINE}${HOST}hOST: evil.example\r\n${BEARER}${CLOSE}`, '400'],
    ['the right host twice', `${LINE}${HOST}${HOST}${BEARER}${CLOSE}`, '400'],
    ['two keys of which the first is wrong', `${LINE}${HOST}Authorization: Bearer no\r\n${BEARER}${CLOSE}`, '401'],
    ['the key twice in one header', `${LINE}${HOST}x-api-key: ${LOCAL_KEY}\r\nx-api-key: no\r\n${CLOSE}`, '401'],
    ['two origins', `${LINE}${HOST}${BEARER}Origin: http://a\r\nOrigin: http://a\r\n${CLOSE}`, '403'],
    [
      'two words about the site',
      `${LINE}${HOST}${BEARER}Sec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site\r\n${CLOSE}`,
      '403',
    ],
    ['two lengths', `${POST_LINE}${HOST}${BEARER}${JSON_TYPE}Content-Length: 2\r\nContent-Length: 3\r\n`, '400'],
    [
      'a length beside chunks',
      `${POST_LINE}${HOST}${BEARER}${JSON_TYPE}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n`,
      '400',
    ],
    [
      'an unknown transfer coding',
      `${POST_LINE}${HOST}${BEARER}${JSON_TYPE}Transfer-Encoding: chunked, odd\r\n`,
      '400',
    ],
  ] as const) {
    it(`do not bypass a rule: ${what}`, async () => {
      const upstream = new InstantUpstream();
      const { port } = await startGateway({ upstream, allowedOrigins: ['http://a'] });
      assert.equal(statusOf(await sendRaw(port, `${request}\r\n`)), status);
      assert.equal(upstream.asked, 0);
    });
  }
});

describe('excessive headers', () => {
  afterEach(closeAll);

  for (const [what, headers] of [
    ['one of 64 KB', `X-Long: ${'x'.repeat(64 * 1024)}\r\n`],
    ['many of 64 KB together', `X-Long: ${'x'.repeat(1000)}\r\n`.repeat(70)],
    ['thousands', 'a:b\r\n'.repeat(3000)],
  ] as const) {
    it(`are refused with 431: ${what}`, async () => {
      const upstream = new InstantUpstream();
      const { port } = await startGateway({ upstream });
      assert.equal(statusOf(await sendRaw(port, `${LINE}${HOST}${headers}${BEARER}${CLOSE}\r\n`)), '431');
      assert.equal(upstream.asked, 0);
    });
  }
});

describe('header injection', () => {
  afterEach(closeAll);

  for (const [what, header] of [
    ['a lone line feed', 'X-A: b\nOrigin: http://evil.example\r\n'],
    ['a lone carriage return', 'X-A: b\rHost: evil.example\r\n'],
    ['a null byte', 'X-A: b\0c\r\n'],
    ['a space in its name', 'X A: b\r\n'],
    ['a folded line', 'X-A: b\r\n Origin: http://evil.example\r\n'],
  ] as const) {
    it(`has no effect in a client’s request: ${what}`, async () => {
      const { port, service } = await startPair();
      const answer = await sendRaw(port, `${LINE}${HOST}${BEARER}${CLOSE}${header}\r\n`);
      const received = service.requests[0];
      if (received === undefined) assert.equal(statusOf(answer), '400');
      else assert.deepEqual([received.headers.origin, received.headers.host], [undefined, `127.0.0.1:${service.port}`]);
    });
  }

  for (const { caller, upstream } of PAIRS) {
    it(`is not possible with an upstream's error: ${upstream} for ${caller}`, async () => {
      const body = {
        type: 'error',
        request_id: 'req_1\r\nSet-Cookie: evil=1',
        error: { type: 'invalid_request_error', message: 'a\r\nX-Evil: 1', code: 'b\r\nX-Evil: 1' },
      };
      const { port } = await startRouter([{ formats: [upstream], script: () => ({ status: 400, body }) }]);
      const answer = await send({ port, path: `/v1${wireFormats[caller].path}`, body: questionFor(caller) });
      assert.equal(answer.status, 400);
      assert.ok(!/evil/i.test(JSON.stringify(answer.rawHeaders)));
      assert.match(String(answer.headers['request-id']), /^req_\w+$/);
    });
  }

  for (const caller of FORMAT_NAMES) {
    it(`is not possible with names in a request: ${caller}`, async () => {
      const evil = 'a\r\nX-Evil: 1\r\n\r\n';
      const { port } = await startRouter([{ formats: FORMAT_NAMES, models: ['known'], script: () => undefined }], {
        [evil]: 'known',
      });
      const body = JSON.stringify({ model: `x/${evil}`, max_tokens: 1, messages: [], input: [] });
      const answer = await send({ port, path: `/v1${wireFormats[caller].path}`, body });
      assert.equal(answer.status, 404);
      assert.ok(!/evil/i.test(JSON.stringify(answer.rawHeaders)));
    });
  }

  it('is not possible with the types of dropped tools', async () => {
    const { port } = await startRouter([{ script: () => ({ parts: [{ text: 'x' }] }) }]);
    const tools = [{ type: 'web_search\r\nX-Evil: 1' }, { type: 'web_search' }];
    const body = JSON.stringify({ model: 'm', input: 'hello', tools });
    const answer = await send({ port, path: '/v1/responses', body });
    assert.ok(answer.status === 200 || answer.status === 400);
    assert.ok(!answer.rawHeaders.includes('X-Evil'));
  });
});

describe('headers with a meaning for other software', () => {
  afterEach(closeAll);

  it('do not reach the service if they could change the request', async () => {
    const { port, service } = await startPair();
    const names = ['x-http-method-override', 'x-original-url', 'x-rewrite-url', 'x-method-override'];
    const lines = names.map((name) => `${name}: DELETE\r\n`).join('');
    assert.equal(statusOf(await sendRaw(port, `${LINE}${HOST}${BEARER}${CLOSE}${lines}\r\n`)), '200');
    const [received] = service.requests;
    for (const name of names) assert.equal(received?.headers[name], undefined, name);
  });

  it('do not reach a browser if they would change its state for this machine', async () => {
    const names = [
      'Clear-Site-Data',
      'Strict-Transport-Security',
      'Set-Cookie',
      'NEL',
      'Service-Worker-Allowed',
      'Refresh',
    ];
    const headers = Object.fromEntries(names.map((name) => [name, '"*"']));
    const { port } = await startPair((response) => {
      response.writeHead(200, { 'content-type': 'application/json', ...headers }).end('{}');
    });
    const answer = await send({ port, path: '/api/v1/models', method: 'GET' });
    for (const name of names) assert.equal(answer.headers[name.toLowerCase()], undefined, name);
  });

  it('may have the names of built-in object properties', async () => {
    const { port, service } = await startPair();
    const answer = await sendRaw(port, `${LINE}${HOST}${BEARER}${CLOSE}constructor: a\r\nconstructor: b\r\n\r\n`);
    assert.equal(statusOf(answer), '200');
    assert.equal(service.requests[0]?.headers.constructor, 'a, b');
  });
});

describe('headers with a key', () => {
  afterEach(closeAll);

  it('are not forwarded, for any vendor', async () => {
    const { port, service } = await startPair();
    const headers = {
      authorization: `Bearer ${LOCAL_KEY}`,
      'x-api-key': LOCAL_KEY,
      'api-key': LOCAL_KEY,
      'x-goog-api-key': LOCAL_KEY,
      'proxy-authorization': `Bearer ${LOCAL_KEY}`,
      cookie: `key=${LOCAL_KEY}`,
      'content-type': 'application/json',
    };
    await send({ port, path: '/v1/messages', headers });
    assert.equal(service.requests[0]?.headers.authorization, `Bearer ${SERVICE_KEY}`);
    assert.ok(!JSON.stringify(service.requests[0]?.rawHeaders).includes(LOCAL_KEY));
  });

  it('are not forwarded to an upstream of another format', async () => {
    const { port, servers } = await startRouter([
      { apiKey: SERVICE_KEY, formats: ['messages'], script: () => ({ parts: [{ text: 'x' }] }) },
    ]);
    await send({ port, path: '/v1/chat/completions', body: questionFor('chat-completions') });
    const { headers, text } = servers[0]?.requests[0] ?? {};
    assert.equal(headers?.['x-api-key'], SERVICE_KEY);
    assert.ok(!JSON.stringify([headers, text]).includes(LOCAL_KEY));
  });
});

describe('an Expect header of the client', () => {
  afterEach(closeAll);

  it('is refused with 417 if its value is unknown', async () => {
    const { port, service } = await startPair();
    const answer = await sendRaw(port, `${POST_LINE}${HOST}${BEARER}${JSON_TYPE}${CLOSE}Expect: miracles\r\n\r\n`);
    assert.equal(statusOf(answer), '417');
    assert.equal(service.requests.length, 0);
  });
});

function questionFor(caller: (typeof FORMAT_NAMES)[number]): string {
  const { encodeRequest } = wireFormats[caller];
  const messages = [{ role: 'user', parts: [{ type: 'text', text: 'hello' }] }] as const;
  return JSON.stringify(encodeRequest({ model: 'm', maxTokens: 10, system: [], messages }));
}

describe('the refusal of headers', () => {
  afterEach(closeAll);

  it('has a body in the caller’s format', async () => {
    const { port } = await startPair();
    const headers = { 'content-type': 'application/json', origin: 'http://evil.example' };
    const messages = await send({ port, path: '/v1/messages', headers });
    const completions = await send({ port, path: '/v1/chat/completions', headers });
    assert.equal((json(messages) as { type?: string }).type, 'error');
    assert.equal((json(completions) as { type?: string }).type, undefined);
    assert.deepEqual([messages.status, completions.status], [403, 403]);
  });
});
