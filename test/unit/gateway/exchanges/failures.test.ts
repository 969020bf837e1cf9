import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Upstream } from '../../../../src/gateway/core/upstream.ts';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import { get, json, send } from '../support/client.ts';
import { closeAll, SERVICE_KEY, startGateway, startPair } from '../support/gateway.ts';

interface ErrorBody {
  readonly type?: string;
  readonly error: { readonly type: string; readonly message: string };
}

function beginStream(response: ServerResponse, sent: string, headers = {}): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
  return new Promise((resolve) => response.write(sent, () => setImmediate(resolve)));
}

/** Returns what follows the part of the stream that the service sent before its connection was lost. */
function added(body: Buffer, sent: string): string {
  const text = body.toString();
  assert.ok(text.startsWith(sent), 'what was received stays');
  return text.slice(sent.length);
}

describe('a stream that is interrupted', () => {
  afterEach(closeAll);

  const broken = async (path: string, sent: string, headers = {}) => {
    const running = await startPair(async (response) => {
      await beginStream(response, sent, headers);
      response.socket?.destroy();
    });
    const ended = running.nextRecord();
    const answer = await send({ port: running.port, path });
    return { answer, record: await ended };
  };

  it('ends with an error event in the messages format', async () => {
    const sent = 'event: message_start\ndata: {"type":"message_start"}\n\n';
    const { answer, record } = await broken('/v1/messages', sent);
    const event = /^\n*event: error\ndata: (.*)\n\n$/.exec(added(answer.body, sent));
    const body = JSON.parse(event?.[1] ?? '') as ErrorBody;
    assert.equal(body.type, 'error');
    assert.match(
      body.error.message,
      /^Connection error with the service at .*: .*closed before the answer was complete \(premature close\)\.$/,
    );
    assert.deepEqual([record.end, record.status, record.bytesOut], ['upstreamFailed', 200, answer.body.length]);
  });

  it('ends with an error in the chat-completions format, and no [DONE]', async () => {
    const sent = 'data: {"choices":[]}\n\n';
    const text = added((await broken('/v1/chat/completions', sent)).answer.body, sent);
    const body = JSON.parse(/^\n*data: (.*)\n\n$/.exec(text)?.[1] ?? '') as ErrorBody;
    assert.ok(body.error.message);
    assert.ok(!text.includes('[DONE]'));
  });

  it('ends with an error event in the responses format', async () => {
    const sent = 'event: response.created\ndata: {"type":"response.created","sequence_number":0}\n\n';
    const text = added((await broken('/v1/responses', sent)).answer.body, sent);
    const body = JSON.parse(/^\n*event: (?:error|response\.failed)\ndata: (.*)\n\n$/.exec(text)?.[1] ?? '');
    assert.match(body.type, /^(?:error|response\.failed)$/);
  });

  it('has its error in place of an event of which only a part has arrived', async () => {
    const { answer } = await broken('/v1/messages', 'data: 1\n\nevent: content_block_delta\ndata: {"type":"con');
    assert.match(answer.body.toString(), /^data: 1\n\nevent: error\n/);
  });

  it('has its error on a separate line if the event is too long to be held', async () => {
    const { answer } = await broken('/v1/messages', `data: {"type":"${'x'.repeat(2 * 1024 * 1024)}`);
    assert.match(answer.body.subarray(-1000).toString(), /x\n\nevent: error\n/);
  });

  it('is visibly truncated if an event cannot be added: compressed', async () => {
    const { answer } = await broken('/v1/messages', 'xxxx', { 'content-encoding': 'gzip' });
    assert.deepEqual([answer.complete, answer.body.toString()], [false, 'xxxx']);
  });

  it('is visibly truncated if an event cannot be added: with a declared length', async () => {
    const { answer } = await broken('/v1/messages', 'data: 1\n\n', { 'content-length': '1000' });
    assert.equal(answer.complete, false);
  });

  it('is visibly truncated if it is not an event stream', async () => {
    const { port } = await startPair(async (response) => {
      await beginStream(response, '{"half":', { 'content-type': 'application/json' });
      response.socket?.destroy();
    });
    const answer = await send({ port, path: '/v1/messages' });
    assert.deepEqual([answer.complete, answer.body.toString()], [false, '{"half":']);
  });
});

describe('an upstream that fails before it answers', () => {
  afterEach(closeAll);

  it('causes an error in the format of the caller if the connection is refused', async () => {
    const upstream = createHosted({ baseAddress: await unusedAddress(), serviceKey: SERVICE_KEY });
    const { port, records } = await startGateway({ upstream });
    const answer = await send({ port, path: '/v1/messages' });
    const body = json(answer) as ErrorBody;
    assert.equal(answer.status, 502);
    assert.equal(body.type, 'error');
    assert.match(body.error.message, /nothing listens at that address/);
    const chat = json(await send({ port, path: '/v1/chat/completions' })) as ErrorBody;
    assert.equal(chat.type, undefined);
    assert.match(chat.error.message, /nothing listens/);
    assert.deepEqual([records[0]?.end, records[0]?.status], ['upstreamFailed', 502]);
  });

  it('causes an error if the host name has no address', async () => {
    const upstream = createHosted({ baseAddress: 'http://nowhere.invalid/api/v1', serviceKey: SERVICE_KEY });
    const { port } = await startGateway({ upstream });
    const answer = await get({ port, path: '/v1/models' });
    assert.equal(answer.status, 502);
    assert.match(answer.body.toString(), /host name/);
  });

  it('causes an error if the connection closes without an answer', async () => {
    const { port } = await startPair((response) => response.socket?.destroy());
    const answer = await send({ port, path: '/v1/responses' });
    assert.equal(answer.status, 502);
    assert.match(answer.body.toString(), /closed before the answer was complete/);
  });

  it('causes an error if the answer is not HTTP', async () => {
    const { port } = await startPair((response) => response.socket?.end('SSH-2.0-server\r\n'));
    assert.equal((await send({ port, path: '/v1/messages' })).status, 502);
  });

  it('causes an error if the answer has an invalid header', async () => {
    const { port } = await startPair((response) => response.socket?.end('HTTP/1.1 200 OK\r\nx-bad: a\x01b\r\n\r\n{}'));
    assert.equal((await send({ port, path: '/v1/messages' })).status, 502);
  });

  for (const status of [301, 302, 303, 307, 308]) {
    it(`causes an error if it redirects (${status}), and the key is not sent elsewhere`, async () => {
      const { port, service } = await startPair((response) => {
        response.writeHead(status, { location: 'http://127.0.0.1:1/elsewhere?secret=1' }).end();
      });
      const answer = await send({ port, path: '/v1/messages' });
      assert.equal(answer.status, 502);
      assert.equal(answer.headers.location, undefined);
      assert.match(answer.body.toString(), /redirects .* to http:\/\/127\.0\.0\.1:1\./);
      assert.equal(service.requests.length, 1);
    });
  }

  it('causes an error if it throws, and the cause is reported', async () => {
    const upstream: Upstream = {
      id: 'broken',
      send() {
        throw new Error('a fault in the upstream');
      },
      close: () => Promise.resolve(),
    };
    const { port, errors } = await startGateway({ upstream });
    const answer = await send({ port, path: '/v1/messages' });
    assert.equal(answer.status, 500);
    assert.ok(!answer.body.includes('a fault'));
    assert.match(String(errors[0]), /a fault in the upstream/);
  });
});

describe('an error answer of the service', () => {
  afterEach(closeAll);

  const refuse = (body: string | Buffer, headers = {}) =>
    startPair((response) => {
      response.writeHead(401, { 'content-type': 'application/json', ...headers }).end(body);
    });

  it('has the service key masked if it quotes it', async () => {
    const { port } = await refuse(`{"error":{"message":"Incorrect key: ${SERVICE_KEY}"}}`, {
      'x-debug': `Bearer ${SERVICE_KEY}`,
    });
    const answer = await send({ port, path: '/v1/chat/completions' });
    assert.equal(answer.status, 401);
    assert.equal(
      answer.body.toString(),
      `{"error":{"message":"Incorrect key: ................key_...${SERVICE_KEY.slice(-4)}"}}`,
    );
    assert.ok(!JSON.stringify(answer.rawHeaders).includes(SERVICE_KEY));
  });

  it('has the service key masked if it is compressed', async () => {
    const { port } = await refuse(gzipSync(`no: ${SERVICE_KEY}`), { 'content-encoding': 'gzip' });
    const answer = await send({ port, path: '/v1/chat/completions' });
    assert.equal(answer.body.toString(), `no: ................key_...${SERVICE_KEY.slice(-4)}`);
    assert.equal(answer.headers['content-encoding'], undefined);
  });

  it('stays compressed, byte for byte, if it does not quote the key', async () => {
    const body = gzipSync('{"error":{"message":"No credit left."}}');
    const { port } = await refuse(body, { 'content-encoding': 'gzip' });
    const answer = await send({ port, path: '/v1/chat/completions' });
    assert.deepEqual(answer.body, body);
    assert.equal(answer.headers['content-encoding'], 'gzip');
  });

  for (const [name, body, headers] of [
    ['in an unknown encoding', 'x', { 'content-encoding': 'zzz' }],
    ['that does not decompress', 'x', { 'content-encoding': 'br' }],
    ['of more than a megabyte', 'x'.repeat(1024 * 1024 + 1), {}],
    ['that unfolds to more than a megabyte', gzipSync(Buffer.alloc(5_000_000)), { 'content-encoding': 'gzip' }],
  ] as const) {
    it(`is not passed on ${name}`, async () => {
      const { port } = await refuse(body, headers);
      const answer = await send({ port, path: '/v1/messages' });
      assert.equal(answer.status, 401);
      assert.match((json(answer) as ErrorBody).error.message, /unreadable error \(401\)/);
    });
  }
});

/** Returns an address at which nothing listens any more. */
async function unusedAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/api/v1`;
}
