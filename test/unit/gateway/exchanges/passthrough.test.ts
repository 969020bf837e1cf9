import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { runs } from '../../../support/randomRuns.ts';
import { get, LOCAL_KEY, open, read, send } from '../support/client.ts';
import { closeAll, SERVICE_KEY, startPair } from '../support/gateway.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const AUTHORIZED = { ...JSON_TYPE, authorization: `Bearer ${LOCAL_KEY}` };

/** Returns the values of all headers with this name, in order. */
function valuesOf(raw: readonly string[], name: string): string[] {
  return raw.filter((_, at) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === name);
}

describe('a request that is passed through', () => {
  afterEach(closeAll);

  it('keeps every byte of its body', async () => {
    const { port, service } = await startPair();
    const property = fc.asyncProperty(fc.uint8Array({ maxLength: 5000, size: 'max' }), async (body) => {
      await send({ port, path: '/api/v1/chat/completions', headers: AUTHORIZED, body });
      assert.deepEqual(service.requests.at(-1)?.body, Buffer.from(body));
    });
    await fc.assert(property, { numRuns: runs(10) });
  });

  it('keeps unusual whitespace, key order, duplicate keys, and unknown fields of its JSON', async () => {
    const { port, service } = await startPair();
    const body = '{\n\t"zeta" : 1.0,"model":"m" ,"a":1,"a":2, "big": 12345678901234567890,"u":"\\u00e9é" }\r\n ';
    await send({ port, path: '/api/v1/messages', headers: AUTHORIZED, body });
    assert.equal(service.requests[0]?.body.toString(), body);
  });

  it('keeps a chunked body without a length', async () => {
    const { port, service } = await startPair();
    const request = open({ port, path: '/api/v1/responses', headers: AUTHORIZED });
    for (const piece of ['{"mo', 'del":"', '\u{1f600}', '"}']) {
      request.write(piece);
      await new Promise(setImmediate);
    }
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await read(response);
    assert.equal(service.requests[0]?.body.toString(), '{"model":"\u{1f600}"}');
    assert.equal(service.requests[0]?.headers['content-length'], '16');
  });

  it('keeps its query and the id of a model, and goes to the base address', async () => {
    const { port, service } = await startPair();
    await send({ port, path: '/v1/messages?beta=true&x=%20', headers: AUTHORIZED });
    await get({ port, path: '/api/v1/models/a%2Fb?limit=1000', headers: AUTHORIZED });
    assert.deepEqual(
      service.requests.map(({ method, path }) => `${method} ${path}`),
      ['POST /api/v1/messages?beta=true&x=%20', 'GET /api/v1/models/a%2Fb?limit=1000'],
    );
  });

  it('keeps unknown headers, and each value of repeated ones', async () => {
    const { port, service } = await startPair();
    const headers = [
      ...['Host', 'localhost', 'Authorization', `Bearer ${LOCAL_KEY}`, 'Content-Type', 'application/json'],
      ...['anthropic-beta', 'one', 'X-Custom', 'gr\u00fcn', 'anthropic-beta', 'two,three', 'X-Empty', ''],
    ];
    await send({ port, path: '/api/v1/messages', headers });
    const raw = service.requests[0]?.rawHeaders ?? [];
    assert.deepEqual(valuesOf(raw, 'anthropic-beta'), ['one', 'two,three']);
    assert.deepEqual(valuesOf(raw, 'x-custom'), ['gr\u00fcn']);
    assert.deepEqual(valuesOf(raw, 'x-empty'), ['']);
  });

  it('drops its credentials, cookies, connection headers, and proxy headers', async () => {
    const { port, service } = await startPair();
    const headers = {
      ...AUTHORIZED,
      'x-api-key': LOCAL_KEY,
      cookie: 'session=1',
      connection: 'keep-alive, X-Hop',
      'x-hop': 'no',
      te: 'trailers',
      'proxy-authorization': 'Basic eA==',
      expect: '100-continue',
      'x-forwarded-for': '10.0.0.7',
      'x-forwarded-proto': 'https',
      'x-real-ip': '10.0.0.7',
      forwarded: 'for=10.0.0.7',
    };
    await send({ port, path: '/api/v1/messages', headers });
    const received = service.requests[0];
    assert.ok(received);
    for (const name of ['x-api-key', 'cookie', 'x-hop', 'te', 'proxy-authorization', 'expect']) {
      assert.equal(received.headers[name], undefined, name);
    }
    assert.doesNotMatch(received.rawHeaders.join(), /10\.0\.0\.7|forwarded/i);
    assert.equal(received.headers.authorization, `Bearer ${SERVICE_KEY}`);
    assert.equal(received.headers.host, `127.0.0.1:${service.port}`);
    assert.ok(!received.rawHeaders.join().includes(LOCAL_KEY));
  });

  for (const [name, headers, path, version] of [
    ['the default on messages', {}, '/messages', '2023-06-01'],
    ['the default on token counts', {}, '/messages/count_tokens', '2023-06-01'],
    ["the client's, under the vendor's name", { 'anthropic-version': '2026-10-21' }, '/messages', '2026-10-21'],
    ["the client's, under the neutral name", { 'vendorb-version': '2024-01-01' }, '/messages', '2024-01-01'],
    ['none elsewhere', {}, '/chat/completions', undefined],
  ] as const) {
    it(`has the version header under both names: ${name}`, async () => {
      const { port, service } = await startPair();
      await send({ port, path: `/api/v1${path}`, headers: { ...AUTHORIZED, ...headers } });
      const received = service.requests[0]?.headers;
      assert.deepEqual([received?.['anthropic-version'], received?.['vendorb-version']], [version, version]);
    });
  }

  it('gets "100 Continue" only if its body will be read', async () => {
    const { port } = await startPair();
    const refused = open({ port, path: '/api/v1/messages', headers: { ...JSON_TYPE, expect: '100-continue' } });
    refused.flushHeaders();
    let continued = false;
    refused.on('continue', () => {
      continued = true;
    });
    const [response] = (await once(refused, 'response')) as [IncomingMessage];
    assert.deepEqual([response.statusCode, continued], [401, false]);
    refused.destroy();

    const admitted = open({ port, path: '/api/v1/messages', headers: { ...AUTHORIZED, expect: '100-continue' } });
    admitted.flushHeaders();
    await once(admitted, 'continue');
    admitted.end('{}');
    const [answer] = (await once(admitted, 'response')) as [IncomingMessage];
    assert.equal(answer.statusCode, 200);
    await read(answer);
  });
});

describe('an answer that is passed through', () => {
  afterEach(closeAll);

  it('keeps every byte, however it was split, of a stream up to its last blank line', async () => {
    const { port, service } = await startPair();
    const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 2000 }), { minLength: 1, maxLength: 8 });
    const property = fc.asyncProperty(pieces, fc.boolean(), async (random, isStream) => {
      const chunks = isStream ? [...random, Buffer.from('\n\n')] : random;
      service.script = async (response) => {
        response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/octet-stream' });
        for (const chunk of chunks) {
          response.write(chunk);
          await new Promise(setImmediate);
        }
        response.end();
      };
      const answer = await send({ port, path: '/api/v1/chat/completions' });
      assert.deepEqual(answer.body, Buffer.concat(chunks));
      assert.ok(answer.complete);
    });
    await fc.assert(property, { numRuns: runs(10) });
  });

  it('keeps its status, length, rate limits, and repeated headers', async () => {
    const { port } = await startPair((response) => {
      response.writeHead(429, [
        ...['content-type', 'application/json; charset=utf-8', 'content-length', '8', 'retry-after', '7'],
        ...['x-ratelimit-remaining-requests', '0', 'request-id', 'req_theirs', 'x-twice', 'a', 'x-twice', 'b'],
      ]);
      response.end('{"no":1}');
    });
    const answer = await send({ port, path: '/api/v1/messages' });
    assert.equal(answer.status, 429);
    assert.equal(answer.body.toString(), '{"no":1}');
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(answer.headers['content-length'], '8');
    assert.equal(answer.headers['retry-after'], '7');
    assert.equal(answer.headers['x-ratelimit-remaining-requests'], '0');
    assert.equal(answer.headers['request-id'], 'req_theirs');
    assert.deepEqual(valuesOf(answer.rawHeaders, 'x-twice'), ['a', 'b']);
  });

  it('drops cookies, connection headers, and CORS permissions', async () => {
    const { port } = await startPair((response) => {
      response.writeHead(200, {
        'set-cookie': ['a=1', 'b=2'],
        connection: 'keep-alive, x-hop',
        'x-hop': 'no',
        'access-control-allow-origin': '*',
        'x-stays': 'yes',
      });
      response.end('{}');
    });
    const { headers } = await send({ port, path: '/api/v1/messages' });
    assert.deepEqual(
      [headers['set-cookie'], headers['x-hop'], headers['access-control-allow-origin'], headers['x-stays']],
      [undefined, undefined, undefined, 'yes'],
    );
  });

  it('is requested uncompressed, and stays compressed if the service compresses it anyway', async () => {
    const text = JSON.stringify({ text: 'word '.repeat(1000) });
    const { port, service } = await startPair((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(text));
    });
    const headers = { ...AUTHORIZED, 'accept-encoding': 'gzip' };
    const answer = await send({ port, path: '/api/v1/messages', headers });
    assert.equal(service.requests[0]?.headers['accept-encoding'], 'identity');
    assert.equal(answer.headers['content-encoding'], 'gzip');
    assert.equal(gunzipSync(answer.body).toString(), text);
  });

  it('is the one after early hints', async () => {
    const { port } = await startPair((response) => {
      response.writeEarlyHints({ link: '</x>; rel=preload' });
      response.writeProcessing();
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"late":true}');
    });
    const answer = await send({ port, path: '/api/v1/messages' });
    assert.deepEqual([answer.status, answer.body.toString()], [201, '{"late":true}']);
  });

  it('starts with its headers, before any body', async () => {
    const { port } = await startPair((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
    });
    const request = open({ port, path: '/api/v1/messages' });
    request.end('{}');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    assert.equal(response.headers['content-type'], 'text/event-stream');
    request.destroy();
  });

  it('forwards each event as it arrives', async () => {
    const { port, service } = await startPair();
    const steps: (() => void)[] = [];
    service.script = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      steps.push(
        () => response.write('data: 1\n\n'),
        () => response.write('data: 2\n\n'),
        () => response.end(),
      );
      response.flushHeaders();
    };
    const request = open({ port, path: '/api/v1/messages' });
    request.end('{}');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    for (const expected of ['data: 1\n\n', 'data: 2\n\n']) {
      steps.shift()?.();
      const [chunk] = (await once(response, 'data')) as [Buffer];
      assert.equal(chunk.toString(), expected);
    }
    steps.shift()?.();
    await once(response, 'end');
  });
});
