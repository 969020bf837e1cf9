import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import { Sandbox } from '../../../../src/gateway/upstreams/sandbox/sandbox.ts';
import type { SocketLimits } from '../../../../src/gateway/websocket/connection.ts';
import { LOCAL_KEY } from '../support/client.ts';
import { closeAll, closeLater, startGateway } from '../support/gateway.ts';
import { startService } from '../support/scriptedService.ts';
import { errorOf, SocketClient, textOf } from '../support/socketClient.ts';

const ASKED = { model: 'familyc-5.4', input: 'echo: Hi' };
/** Checks often, so that a test need not wait. */
const OFTEN = { checkMs: 5 };

const start = (socketLimits: Partial<SocketLimits>) =>
  startGateway({ upstream: new Sandbox({ delayMs: 0 }), socketLimits: { ...OFTEN, ...socketLimits } });

const UPGRADE = [
  ...['GET /v1/responses HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${LOCAL_KEY}`],
  ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
  ...['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', '', ''],
].join('\r\n');

function connectRaw(port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  closeLater(async () => socket.destroy());
  return socket;
}

/** Opens a WebSocket whose frames the test writes itself. */
async function openRaw(port: number): Promise<Socket> {
  const socket = connectRaw(port);
  socket.write(UPGRADE);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  assert.match(String(answer), /^HTTP\/1\.1 101 /);
  return socket;
}

/** Resolves when the other side closes the connection, in whatever way. */
function closing(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.resume().on('close', () => resolve()));
}

const [CONTINUED, TEXT, PING] = [0, 1, 9] as const;

/** A masked frame with a mask of zeros. */
function frame(kind: number, content: string, isLast: boolean): Buffer {
  const bytes = Buffer.from(content);
  assert.ok(bytes.length < 126);
  return Buffer.concat([Buffer.from([(isLast ? 0x80 : 0) | kind, 0x80 | bytes.length, 0, 0, 0, 0]), bytes]);
}

describe('the limits of a WebSocket', () => {
  afterEach(closeAll);

  it('end it after 60 minutes, with the error of the services', async () => {
    const running = await start({ ageMs: 0 });
    const client = await SocketClient.open(running.port);
    assert.equal(errorOf(await client.next()).code, 'websocket_connection_limit_reached');
    assert.equal((await client.closed).code, 1000);
  });

  it('do not end it within an answer', async () => {
    const running = await startGateway({
      upstream: new Sandbox({ delayMs: 1 }),
      socketLimits: { ...OFTEN, ageMs: 0 },
    });
    const socket = connectRaw(running.port);
    const request = { type: 'response.create', model: 'familyc-5.4', input: 'write 60 words' };
    // The request arrives together with the connection, which would otherwise end before it.
    socket.write(Buffer.concat([Buffer.from(UPGRADE), frame(TEXT, JSON.stringify(request), true)]));
    let received = '';
    for await (const piece of socket) {
      received += String(piece);
      if (received.includes('websocket_connection_limit_reached')) break;
    }
    assert.match(received, /response\.completed.+websocket_connection_limit_reached/s);
  });

  it('end one that is idle', async () => {
    const running = await start({ idleMs: 0 });
    const client = await SocketClient.open(running.port);
    assert.deepEqual(await client.closed, { code: 1000, reason: 'idle' });
  });

  it('end one without a sign of life, and no other', async () => {
    const running = await start({ silentMs: 60 });
    const silent = await openRaw(running.port);
    const client = await SocketClient.open(running.port);
    await closing(silent);
    assert.equal(textOf(await client.ask(ASKED)), 'Hi');
    client.socket.close();
  });

  it('end one whose message is too long, before it has arrived', async () => {
    const running = await start({ maxBytes: 1000 });
    const client = await SocketClient.open(running.port);
    client.create({ input: 'x'.repeat(2000) });
    assert.equal((await client.closed).code, 1009);
    const other = await SocketClient.open(running.port);
    assert.equal(textOf(await other.ask(ASKED)), 'Hi');
    other.socket.close();
  });

  it('end one whose message arrives too slowly, whatever is between its parts', async () => {
    const running = await start({ messageMs: 30 });
    const socket = await openRaw(running.port);
    const closed = closing(socket);
    socket.write(frame(TEXT, '{"type":', false));
    const pings = setInterval(
      () => socket.write(Buffer.concat([frame(PING, 'x', true), frame(CONTINUED, ' ', false)])),
      2,
    );
    await closed;
    clearInterval(pings);
  });

  it('allow a message in many parts', async () => {
    const running = await start({});
    const socket = await openRaw(running.port);
    const text = JSON.stringify({ type: 'response.create', ...ASKED });
    const parts = [...text].map((part, at) => frame(at === 0 ? TEXT : CONTINUED, part, at === text.length - 1));
    const recorded = running.nextRecord();
    socket.resume().write(Buffer.concat(parts));
    assert.equal((await recorded).end, 'completed');
  });

  it('end one with more parts than any message has', async () => {
    const running = await start({});
    const socket = await openRaw(running.port);
    const closed = closing(socket);
    socket.write(frame(TEXT, '{', false));
    socket.write(Buffer.concat(Array.from({ length: 20_000 }, () => frame(CONTINUED, ' ', false))));
    await closed;
  });

  it('end one with frames that no client sends', async () => {
    const running = await start({});
    for (const bytes of [
      Buffer.from([0x81, 0x01, 0x78]),
      Buffer.from([0xc1, 0x80, 0, 0, 0, 0]),
      Buffer.from([0x83, 0x80, 0, 0, 0, 0]),
      frame(CONTINUED, 'x', true),
      Buffer.concat([frame(TEXT, '', false).subarray(0, 2), Buffer.from([0, 0, 0, 0])]),
    ].slice(0, 4)) {
      const socket = await openRaw(running.port);
      const closed = closing(socket);
      socket.write(bytes);
      await closed;
    }
    assert.deepEqual(running.errors, []);
  });

  it('refuse a conversation that has become too long', async () => {
    const running = await start({ maxBytes: 400 });
    const client = await SocketClient.open(running.port);
    const warm = await client.ask({ generate: false, input: 'x'.repeat(200) });
    const id = (warm.at(-1)?.response as { readonly id: string } | undefined)?.id;
    const [event] = await client.ask({ previous_response_id: id, input: 'y'.repeat(200) });
    assert.equal(event?.status, 413);
    client.socket.close();
  });

  it('refuse more connections than the gateway holds, until one is closed', async () => {
    const running = await start({ maxConnections: 1 });
    const client = await SocketClient.open(running.port);
    assert.equal((await SocketClient.refused(running.port)).status, 503);
    client.socket.close();
    await client.closed;
  });

  it('make the upstream wait for a client that does not read', async () => {
    let written = 0;
    const event = `data: ${JSON.stringify({ type: 'response.output_text.delta', delta: 'x'.repeat(60_000) })}\n\n`;
    const service = await startService((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const more = (): void => {
        while (!response.destroyed && response.write(event)) written += event.length;
        written += event.length;
      };
      response.on('drain', more);
      more();
    });
    closeLater(() => service.close());
    const upstream = createHosted({ baseAddress: service.baseAddress, serviceKey: 'key_service-of-the-test' });
    closeLater(() => upstream.close());
    const running = await startGateway({ upstream });
    const client = await SocketClient.open(running.port);
    client.create({ input: 'Hi' });
    await client.next();
    client.socket.pause();
    let before = -1;
    while (before !== written) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.ok(written < 64 * 1024 * 1024, `${written} bytes`);
    client.socket.terminate();
    await service.clientLeft;
  });
});
