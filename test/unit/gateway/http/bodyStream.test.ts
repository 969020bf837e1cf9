import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RequestHandlerOptions } from '../../../../src/gateway/server/requestHandlerOptions.ts';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import { json, LOCAL_KEY, open, read } from '../support/client.ts';
import { closeAll, closeLater, SERVICE_KEY, startGateway } from '../support/gateway.ts';

const LONG = 2_000_000;
const HEAD = '{"model":"m","messages":[';

/** Starts a gateway in front of a service that receives requests before their bodies are complete. */
async function start(
  serve: (request: IncomingMessage, response: ServerResponse) => unknown,
  options: Partial<RequestHandlerOptions> = {},
) {
  const server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeLater(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const upstream = createHosted({ baseAddress: `http://127.0.0.1:${port}/api/v1`, serviceKey: SERVICE_KEY });
  closeLater(() => upstream.close());
  return { ...(await startGateway({ upstream, ...options })), server };
}

/** Starts a request that has announced its length, and sends its beginning. */
function begin(port: number, length = LONG): ClientRequest {
  const headers = {
    authorization: `Bearer ${LOCAL_KEY}`,
    'content-type': 'application/json',
    'content-length': length,
  };
  const request = open({ port, path: '/v1/messages', headers }).on('error', () => undefined);
  request.write(HEAD.padEnd(100_000));
  return request;
}

async function answerOf(request: ClientRequest) {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return read(response);
}

/** Sends a body with announced length, and returns what has reached the service. */
async function sendThrough(body: Buffer) {
  const received = Promise.withResolvers<{ length: string | undefined; arrived: Buffer }>();
  const running = await start(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.resolve({ length: request.headers['content-length'], arrived: Buffer.concat(chunks) });
    response.end('{}');
  });
  const ended = running.nextRecord();
  const request = open({ port: running.port, path: '/v1/messages' });
  request.setHeader('content-length', body.length);
  request.end(body);
  assert.equal((await answerOf(request)).status, 200);
  return { ...(await received.promise), record: await ended };
}

describe('a long body', () => {
  afterEach(closeAll);

  it('reaches the service byte for byte, with its length', async () => {
    const body = Buffer.concat([Buffer.from(HEAD), randomBytes(LONG)]);
    const { length, arrived, record } = await sendThrough(body);
    assert.equal(length, String(body.length));
    assert.ok(arrived.equals(body));
    const { model, bytesIn, end } = record;
    assert.deepEqual({ model, bytesIn, end }, { model: 'm', bytesIn: body.length, end: 'completed' });
  });

  it('with its model at the end reaches the service byte for byte, and its record has the model', async () => {
    const body = Buffer.from(
      JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(LONG) }], model: 'late' }),
    );
    const { arrived, record } = await sendThrough(body);
    assert.ok(arrived.equals(body));
    const { model, bytesIn, end } = record;
    assert.deepEqual({ model, bytesIn, end }, { model: 'late', bytesIn: body.length, end: 'completed' });
  });

  it('is forwarded while it arrives', async () => {
    const arrived = Promise.withResolvers<void>();
    const { port } = await start((request, response) => {
      request.once('data', () => arrived.resolve());
      request.on('end', () => response.end('{}'));
    });
    const request = begin(port);
    await arrived.promise;
    request.end(Buffer.alloc(LONG - 100_000, ' '));
    assert.equal((await answerOf(request)).status, 200);
  });

  it('is received no faster than the service accepts it', async () => {
    const { port } = await start((request) => request.pause());
    const total = 24_000_000;
    const request = begin(port, total);
    const piece = Buffer.alloc(100_000, ' ');
    let sent = 100_000;
    const fill = () => {
      while (sent < total && request.write(piece)) sent += piece.length;
    };
    request.on('drain', fill);
    fill();
    for (let before = -1; before !== sent; ) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    assert.ok(sent < total - 1_000_000, `${sent} bytes were taken of ${total}`);
    request.destroy();
  });

  it('is aborted at the service when its client disconnects', async () => {
    const left = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const running = await start((request) => {
      request.once('data', () => arrived.resolve()).on('close', () => left.resolve());
    });
    const ended = running.nextRecord();
    const request = begin(running.port);
    await arrived.promise;
    request.destroy();
    await left.promise;
    assert.equal((await ended).end, 'clientLeft');
  });

  it('is refused with 408 if the rest does not arrive, and is aborted at the service', async () => {
    const left = Promise.withResolvers<void>();
    const running = await start((request) => request.resume().on('close', () => left.resolve()), {
      bodyLimits: { timeoutMs: 150 },
    });
    const ended = running.nextRecord();
    const answer = await answerOf(begin(running.port));
    assert.equal(answer.status, 408);
    assert.equal((json(answer) as { type: string }).type, 'error');
    await left.promise;
    assert.equal((await ended).end, 'refused');
  });

  it('can be answered before it is complete', async () => {
    const { port } = await start((_request, response) => {
      response.writeHead(413, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}');
    });
    const request = begin(port);
    const answer = await answerOf(request);
    request.end(Buffer.alloc(LONG - 100_000, ' '));
    assert.equal(answer.status, 413);
    assert.match(answer.body.toString(), /"no"/);
  });

  it('becomes an error in the caller’s format if the service disconnects in the middle', async () => {
    const { port } = await start((request) => request.once('data', () => request.socket.destroy()));
    const request = begin(port);
    const answer = await answerOf(request);
    request.end(Buffer.alloc(LONG - 100_000, ' '));
    assert.equal(answer.status, 502);
    assert.equal((json(answer) as { type: string }).type, 'error');
  });

  it('is forwarded only when complete if its key has restrictions', async () => {
    const arrived: string[] = [];
    const { port } = await start(
      (request, response) => {
        arrived.push('request');
        request.resume().on('end', () => response.end('{}'));
      },
      { localKeys: [{ id: 'tests', name: 'tests', secret: LOCAL_KEY, createdAt: 0, models: ['m'] }] },
    );
    const request = begin(port);
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.deepEqual(arrived, []);
    request.end(']}'.padStart(LONG - 100_000));
    assert.equal((await answerOf(request)).status, 200);
  });
});
