import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter, once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import { LOCAL_KEY, open, read } from '../support/client.ts';
import { closeAll, SERVICE_KEY, startPair } from '../support/gateway.ts';

describe('a client that disconnects', () => {
  afterEach(closeAll);

  it('ends the request to the service before the first byte of the answer', async () => {
    const received = new EventEmitter();
    const running = await startPair(() => void received.emit('request'));
    const request = open({ port: running.port, path: '/v1/messages' });
    request.on('error', () => undefined).end('{"model":"m"}');
    await once(received, 'request');
    const ended = running.nextRecord();
    request.destroy();
    await running.service.clientLeft;
    const record = await ended;
    assert.deepEqual([record.end, record.status, record.model], ['clientLeft', undefined, 'm']);
  });

  it('ends the request to the service in the middle of a stream', async () => {
    const running = await startPair((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    });
    const request = open({ port: running.port, path: '/v1/chat/completions' });
    request.end('{}');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await once(response, 'data');
    const ended = running.nextRecord();
    response.destroy();
    await running.service.clientLeft;
    const record = await ended;
    assert.deepEqual([record.end, record.status, record.bytesOut], ['clientLeft', 200, 9]);
  });

  it('ends the request to the service while the answer waits for a slow reader', async () => {
    const running = await startPair((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const chunk = Buffer.alloc(256 * 1024, 'x');
      const fill = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', fill);
      fill();
    });
    const request = open({ port: running.port, path: '/v1/messages' });
    request.end('{}');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const ended = running.nextRecord();
    response.destroy();
    await running.service.clientLeft;
    assert.equal((await ended).end, 'clientLeft');
  });

  it('ends only its own exchange', async () => {
    const finish: (() => void)[] = [];
    const running = await startPair((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      finish.push(() => response.end('data: 2\n\n'));
    });
    const begin = async () => {
      const request = open({ port: running.port, path: '/v1/messages' });
      request.end('{}');
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      return response;
    };
    const [leaving, staying] = await Promise.all([begin(), begin()]);
    leaving.destroy();
    await running.service.clientLeft;
    for (const step of finish) step();
    assert.equal((await read(staying)).body.toString(), 'data: 1\n\ndata: 2\n\n');
  });

  it('causes no request to the service if it is still sending its body', async () => {
    const running = await startPair();
    const ended = running.nextRecord();
    const request = open({ port: running.port, path: '/v1/messages' });
    request.on('error', () => undefined).write('{"model":');
    await new Promise((resolve) => request.once('socket', (socket) => socket.once('connect', resolve)));
    await new Promise((resolve) => setTimeout(resolve, 50));
    request.destroy();
    assert.equal((await ended).end, 'clientLeft');
    assert.equal(running.service.requests.length, 0);
  });

  it('causes no request to the service if no connection to it is established yet', async () => {
    const upstream = createHosted({ baseAddress: 'http://nowhere.invalid/api/v1', serviceKey: SERVICE_KEY });
    let heard = 0;
    const call = upstream.send(
      {
        endpoint: '/messages',
        method: 'POST',
        subpath: '',
        query: '',
        headers: {},
        body: Buffer.from('{}'),
        localKeyId: 'tests',
        callerFormat: 'messages',
      },
      { start: () => heard++, data: () => heard++ > 0, end: () => heard++, fail: () => heard++ },
    );
    call.cancel();
    await upstream.close();
    assert.equal(heard, 0);
  });

  it('may only half-close the connection, which counts as a disconnect', async () => {
    const running = await startPair((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    });
    const socket = connect(running.port, '127.0.0.1');
    socket.write(
      `POST /v1/messages HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${LOCAL_KEY}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`,
    );
    await once(socket, 'data');
    socket.end();
    await running.service.clientLeft;
  });
});

describe('a reused connection', () => {
  afterEach(closeAll);

  it('does not accumulate listeners, toward the client or the service', async () => {
    const counts: number[] = [];
    const upstreamSockets: EventEmitter[] = [];
    const connected = (message: unknown) => upstreamSockets.push((message as { socket: EventEmitter }).socket);
    subscribe('undici:client:connected', connected);
    const { port } = await startPair();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = { authorization: `Bearer ${LOCAL_KEY}`, 'content-type': 'application/json' };
    for (let round = 0; round < 40; round++) {
      const request = httpRequest({ host: '127.0.0.1', port, path: '/v1/messages', method: 'POST', headers, agent });
      // Every other body is long enough to be forwarded while it arrives.
      request.end('{"model":"m"}'.padEnd(round % 2 === 0 ? 20 : 300_000));
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      await read(response);
      const sockets = [...serverSockets(port), ...upstreamSockets];
      assert.equal(sockets.length, 2);
      if (round % 2 === 1) counts.push(sockets.reduce((sum, socket) => sum + listeners(socket), 0));
    }
    agent.destroy();
    unsubscribe('undici:client:connected', connected);
    assert.ok((counts.at(-1) ?? 0) <= (counts[2] ?? 0), counts.join());
  });

  it('answers pipelined requests in order', async () => {
    const { port, service } = await startPair((response, { body }) => {
      setTimeout(() => response.writeHead(200).end(body), body.length > 3 ? 30 : 0);
    });
    const one = (body: string, more = '') =>
      `POST /v1/messages HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${LOCAL_KEY}\r\ncontent-type: application/json\r\n${more}content-length: ${body.length}\r\n\r\n${body}`;
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.write(one('"first"') + one('"2"', 'connection: close\r\n'));
    await once(socket, 'close');
    assert.equal(service.requests.length, 2);
    assert.ok(text.indexOf('"first"') < text.indexOf('"2"') && text.includes('"first"'), text);
  });
});

interface SocketLike extends EventEmitter {
  readonly localPort?: number;
}

/** Returns the sockets of this process whose local end is the port: the gateway's side of its connections. */
function serverSockets(port: number): SocketLike[] {
  const { _getActiveHandles: handles } = process as unknown as { _getActiveHandles(): SocketLike[] };
  return handles.call(process).filter((handle) => handle.localPort === port);
}

function listeners(socket: EventEmitter): number {
  return socket.eventNames().reduce((sum, name) => sum + socket.listenerCount(name), 0);
}
