import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { mock } from 'node:test';
import { LOCAL_KEY, send } from '../support/client.ts';
import { closeAll, closeLater, startPair } from '../support/gateway.ts';

const HEADS = 'POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
const BEARER = `Authorization: Bearer ${LOCAL_KEY}\r\n`;

/** Writes one piece after the other, each when the previous one has been sent, until the other side closes. */
async function trickle(socket: Socket, beginning: string, piece: string): Promise<string> {
  let answer = '';
  let isOpen = true;
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  const closed = new Promise<void>((resolve) => socket.on('error', () => undefined).on('close', () => resolve()));
  void closed.then(() => {
    isOpen = false;
  });
  socket.write(beginning);
  while (isOpen && socket.writable) {
    socket.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await closed;
  return answer;
}

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  closeLater(async () => {
    socket.destroy();
  });
  return socket;
}

describe('a client that sends a little at a time, indefinitely', () => {
  afterEach(closeAll);

  it('is disconnected if its headers take too long', async () => {
    const connectionLimits = { headersTimeout: 60, connectionsCheckingInterval: 20 };
    const { port, service } = await startPair(undefined, { connectionLimits });
    const answer = await trickle(open(port), HEADS + BEARER, 'X-More: and more\r\n');
    assert.match(answer, /^HTTP\/1\.1 408 /);
    assert.equal(service.requests.length, 0);
  });

  it('is disconnected if its body takes too long, however much arrives', async () => {
    const { port, service, nextRecord } = await startPair(undefined, { bodyLimits: { timeoutMs: 60 } });
    const ended = nextRecord();
    const body = 'Transfer-Encoding: chunked\r\n\r\n';
    const answer = await trickle(open(port), HEADS + BEARER + body, '1\r\n \r\n');
    assert.match(answer, /^HTTP\/1\.1 408 [\s\S]*"type":"error"/);
    assert.equal((await ended).end, 'refused');
    assert.equal(service.requests.length, 0);
  });

  it('does not block other clients', async () => {
    const { port } = await startPair();
    for (let nth = 0; nth < 200; nth++) open(port).write(HEADS);
    assert.equal((await send({ port, path: '/v1/messages' })).status, 200);
  });
});

describe('a refused client that does not stop sending', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(async () => {
    mock.timers.reset();
    await closeAll();
  });

  it('gets its answer immediately, and is disconnected after five seconds', async () => {
    const { port } = await startPair();
    const socket = open(port);
    socket.write(`${HEADS}Transfer-Encoding: chunked\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    assert.match(answer.toString(), /^HTTP\/1\.1 401 /);
    socket.on('error', () => undefined).write('1\r\n \r\n');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    mock.timers.tick(5_000);
    await closed;
  });
});
