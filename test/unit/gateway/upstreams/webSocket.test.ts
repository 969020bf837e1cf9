import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { Router } from '../../../../src/gateway/routing/router.ts';
import { createCompatible } from '../../../../src/gateway/upstreams/compatible.ts';
import { Sandbox } from '../../../../src/gateway/upstreams/sandbox/sandbox.ts';
import { responseEvents } from '../../../support/modelServer/responses.ts';
import { json, LOCAL_KEY, open, send } from '../support/client.ts';
import { closeAll, closeLater, startGateway } from '../support/gateway.ts';
import { startService } from '../support/scriptedService.ts';
import { idOf, SocketClient, textOf } from '../support/socketClient.ts';

const KEY = 'key_canary-of-the-upstream';

interface Asked {
  readonly socket: WebSocket;
  readonly event: Readonly<Record<string, unknown>>;
  readonly nth: number;
}

/** A service with WebSocket, which notes the events that it receives. */
async function startSocketService(answer: (asked: Asked) => void = sayOk) {
  const service = {
    address: '',
    events: [] as Asked['event'][],
    handshakes: [] as { path: string | undefined; headers: IncomingHttpHeaders }[],
    sockets: new Set<WebSocket>(),
    /** How many requests came over HTTP, and what they get. */
    overHttp: 0,
    answer: { status: 200, body: responseEvents({ parts: [{ text: 'This is over HTTP.' }] }, 'a').join('') },
  };
  const server = createServer((request, response) => {
    const { status, body } = request.method === 'POST' ? service.answer : { status: 404, body: '' };
    if (request.method === 'POST') service.overHttp += 1;
    response.writeHead(status, { 'content-type': status === 200 ? 'text/event-stream' : 'application/json' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  new WebSocketServer({ server }).on('connection', (socket, { url, headers }) => {
    service.handshakes.push({ path: url, headers });
    service.sockets.add(socket);
    socket.on('message', (data) => {
      const event = JSON.parse(String(data)) as Asked['event'];
      service.events.push(event);
      answer({ socket, event, nth: service.events.length });
    });
  });
  closeLater(async () => {
    for (const socket of service.sockets) socket.terminate();
    server.close();
  });
  service.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return service;
}

function say(socket: WebSocket, type: string, members: object): void {
  socket.send(JSON.stringify({ type, ...members }));
}

function itemOf(nth: number) {
  return { type: 'message', id: `msg_${nth}`, role: 'assistant', status: 'completed', content: [] };
}

function sayOk({ socket, nth }: Asked): void {
  const response = { id: `resp_${nth}`, object: 'response', status: 'in_progress', output: [] };
  say(socket, 'response.created', { response });
  say(socket, 'response.output_text.delta', { output_index: 0, delta: 'ok' });
  say(socket, 'response.future', { key: KEY });
  say(socket, 'response.output_item.done', { output_index: 0, item: itemOf(nth) });
  say(socket, 'response.completed', { response: { ...response, status: 'completed' } });
}

/** A gateway in front of an upstream that is asked over WebSocket. */
async function startInFront(baseUrl: string, more: object = {}) {
  const formats: FormatName[] = ['responses'];
  const settings = { id: 'up', baseUrl, formats, models: ['*'], apiKey: KEY, webSocket: true, ...more };
  const router = new Router([{ ...settings, upstream: createCompatible(settings) }]);
  closeLater(() => router.close());
  return startGateway({ upstream: router });
}

const path = '/api/v1/responses';
const QUESTION = { role: 'user', content: 'Hi' };
const asBody = (members: object) => JSON.stringify({ model: 'a', stream: true, input: [QUESTION], ...members });

describe('an upstream that is asked over WebSocket', () => {
  afterEach(closeAll);

  it('gets the request as an event, with its key, and its events are a stream for the client', async () => {
    const service = await startSocketService();
    const running = await startInFront(service.address, { headers: { 'x-own': 'yes' }, query: { version: '1' } });
    const answer = await send({ port: running.port, path, body: asBody({ store: false, future: 1 }) });
    const [handshake] = service.handshakes;
    assert.deepEqual(
      [handshake?.path, handshake?.headers.authorization, handshake?.headers['x-own']],
      ['/v1/responses?version=1', `Bearer ${KEY}`, 'yes'],
    );
    assert.deepEqual(service.events, [
      { type: 'response.create', model: 'a', store: false, future: 1, input: [QUESTION] },
    ]);
    assert.equal(answer.headers['content-type'], 'text/event-stream; charset=utf-8');
    const text = answer.body.toString();
    assert.match(text, /event: response\.created\ndata: \{[\s\S]*event: response\.completed\n/);
    assert.ok(!text.includes(KEY), text);
    assert.equal(running.records[0]?.end, 'completed');
  });

  it('gets only the new items of a conversation, on the same connection', async () => {
    const service = await startSocketService();
    const running = await startInFront(service.address);
    const client = await SocketClient.open(running.port);
    const first = await client.ask({ store: false, input: [QUESTION] });
    await client.ask({ store: false, previous_response_id: idOf(first), input: [{ n: 2 }] });
    client.socket.close();
    // Over HTTP, a client sends everything again.
    const input = [QUESTION, itemOf(1), { n: 2 }, itemOf(2), { n: 3 }];
    await send({ port: running.port, path, body: asBody({ store: false, input }) });
    assert.equal(service.handshakes.length, 1);
    assert.deepEqual(
      service.events.map(({ previous_response_id: id, input: items }) => [id, items]),
      [
        [undefined, [QUESTION]],
        ['resp_1', [{ n: 2 }]],
        ['resp_2', [{ n: 3 }]],
      ],
    );
  });

  it('keeps a connection for a long conversation without a warning', async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error): unknown => warnings.push(warning);
    process.on('warning', warn);
    const service = await startSocketService();
    const running = await startInFront(service.address);
    const client = await SocketClient.open(running.port);
    let previous: string | undefined;
    for (let turn = 0; turn < 15; turn++) {
      previous = idOf(await client.ask({ store: false, previous_response_id: previous, input: [{ n: turn }] }));
    }
    client.socket.close();
    process.off('warning', warn);
    assert.deepEqual(warnings, []);
    assert.equal(service.handshakes.length, 1);
  });

  it('gets another conversation, or one with other options, on a connection of its own', async () => {
    const service = await startSocketService();
    const running = await startInFront(service.address);
    await send({ port: running.port, path, body: asBody({}) });
    await send({ port: running.port, path, body: asBody({ input: [{ n: 9 }] }) });
    await send({ port: running.port, path, body: asBody({ temperature: 1, input: [QUESTION, itemOf(1), QUESTION] }) });
    assert.equal(service.handshakes.length, 3);
    assert.ok(service.events.every((event) => !('previous_response_id' in event)));
  });

  it('gets the whole conversation again if it has forgotten it, or has closed the connection', async () => {
    const service = await startSocketService((asked) => {
      const { socket, event } = asked;
      const error = { type: 'invalid_request_error', code: 'previous_response_not_found', message: 'Gone.' };
      if ('previous_response_id' in event && service.handshakes.length === 1)
        say(socket, 'error', { status: 400, error });
      else sayOk(asked);
    });
    const running = await startInFront(service.address);
    const client = await SocketClient.open(running.port);
    const first = await client.ask({ store: false, input: [QUESTION] });
    const second = await client.ask({ store: false, previous_response_id: idOf(first), input: [{ n: 2 }] });
    assert.equal(textOf(second), 'ok');
    assert.deepEqual(service.events.at(-1)?.input, [QUESTION, itemOf(1), { n: 2 }]);
    const opened = [...service.sockets].filter(({ readyState, OPEN }) => readyState === OPEN);
    const closed = opened.map((socket) => {
      socket.close();
      return once(socket, 'close');
    });
    await Promise.all(closed);
    const third = await client.ask({ store: false, previous_response_id: idOf(second), input: [{ n: 3 }] });
    assert.equal(textOf(third), 'ok');
    assert.deepEqual(service.events.at(-1)?.input, [QUESTION, itemOf(1), { n: 2 }, itemOf(3), { n: 3 }]);
    client.socket.close();
  });

  it('is asked over HTTP if it has no WebSocket, for requests without a stream, and for all others', async () => {
    const service = await startService((response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"object":"response","output":[]}'),
    );
    closeLater(() => service.close());
    const running = await startInFront(service.baseAddress);
    for (const body of [
      asBody({}),
      asBody({}),
      asBody({ stream: false }),
      asBody({ previous_response_id: 'resp_1' }),
    ]) {
      assert.equal((await send({ port: running.port, path, body })).status, 200);
    }
    assert.deepEqual(
      service.requests.map(({ method }) => method),
      ['GET', 'POST', 'POST', 'POST', 'POST'],
    );
  });

  it('refuses with its status, before a stream', async () => {
    const error = { type: 'rate_limit_error', code: 'rate_limit_exceeded', message: 'Slow down.' };
    const service = await startSocketService(({ socket }) =>
      say(socket, 'error', { status: 429, error, headers: { 'retry-after': '7' } }),
    );
    const running = await startInFront(service.address);
    const answer = await send({ port: running.port, path, body: asBody({}) });
    assert.deepEqual([answer.status, answer.headers['retry-after'], json(answer)], [429, '7', { error }]);
  });

  it('fails in the middle like a stream, with its error or without', async () => {
    for (const end of [
      (socket: WebSocket) => say(socket, 'error', { error: { type: 'server_error', message: 'Broken.' } }),
      (socket: WebSocket) => socket.terminate(),
    ]) {
      const service = await startSocketService(({ socket }) => {
        say(socket, 'response.output_text.delta', { output_index: 0, delta: 'o' });
        end(socket);
      });
      const running = await startInFront(service.address);
      const recorded = running.nextRecord();
      const answer = await send({ port: running.port, path, body: asBody({}) });
      assert.match(answer.body.toString(), /event: error\ndata: \{.*"type":"error"/);
      assert.equal((await recorded).end, 'upstreamFailed');
    }
  });

  it('stops when its client leaves', async () => {
    const asked = Promise.withResolvers<WebSocket>();
    const service = await startSocketService(({ socket }) => asked.resolve(socket));
    const running = await startInFront(service.address);
    const request = open({ port: running.port, path }).on('error', () => undefined);
    request.end(asBody({}));
    const socket = await asked.promise;
    const closed = once(socket, 'close');
    request.destroy();
    await closed;
    assert.equal(service.events.length, 1);
  });

  it('can be another gateway', async () => {
    const inner = await startGateway({ upstream: new Sandbox({ delayMs: 0 }) });
    const running = await startInFront(`http://127.0.0.1:${inner.port}/api/v1`, { apiKey: LOCAL_KEY });
    const client = await SocketClient.open(running.port);
    const first = await client.ask({ model: 'familyc-5.4', store: false, input: 'echo: one' });
    assert.equal(textOf(first), 'one');
    const next = { store: false, previous_response_id: idOf(first), input: 'echo: two' };
    assert.equal(textOf(await client.ask({ model: 'familyc-5.4', ...next })), 'two');
    client.socket.close();
    assert.equal(inner.records.length, 2);
  });

  /** A service whose first connections close like this, and which answers over HTTP. */
  async function startClosingService(close: (asked: Asked) => boolean) {
    const service = await startSocketService((asked) => {
      if (!close(asked)) sayOk(asked);
    });
    return service;
  }

  for (const code of [1000, 1001, 1003, 1008, 1009, 1011, 1012, 1013, 'cut'] as const) {
    it(`asks over HTTP if the connection closes before any event (${code})`, async () => {
      const service = await startClosingService(({ socket }) => {
        if (code === 'cut') socket.terminate();
        else socket.close(code);
        return true;
      });
      const running = await startInFront(service.address);
      const record = running.nextRecord();
      const answer = await send({ port: running.port, path, body: asBody({}) });
      assert.equal(answer.status, 200, answer.body.toString());
      assert.match(answer.body.toString(), /over HTTP/);
      assert.equal((await record).end, 'completed');
      assert.deepEqual([service.handshakes.length, service.overHttp], [1, 1]);
    });
  }

  it('stays with HTTP in a conversation whose connection was closed, but not in others', async () => {
    const service = await startClosingService(({ socket, event }) => {
      const isLong = JSON.stringify(event).includes('long');
      if (isLong) socket.close(1009);
      return isLong;
    });
    const running = await startInFront(service.address);
    const long = { role: 'user', content: 'long' };
    const ask = (input: readonly object[]) => send({ port: running.port, path, body: asBody({ input }) });
    await ask([long]);
    await ask([long, itemOf(1), QUESTION]);
    assert.deepEqual([service.handshakes.length, service.overHttp], [1, 2]);
    await ask([QUESTION]);
    assert.deepEqual([service.handshakes.length, service.overHttp], [2, 2]);
  });

  it('goes over HTTP for everything after several connections in a row were closed', async () => {
    const service = await startClosingService(({ socket }) => {
      socket.close(1011);
      return true;
    });
    const running = await startInFront(service.address);
    for (let nth = 0; nth < 5; nth += 1) {
      const answer = await send({
        port: running.port,
        path,
        body: asBody({ input: [{ role: 'user', content: `${nth}` }] }),
      });
      assert.equal(answer.status, 200);
    }
    assert.deepEqual([service.handshakes.length, service.overHttp], [3, 5]);
  });

  it('fails with the reason over HTTP if that fails, too', async () => {
    const service = await startClosingService(({ socket }) => {
      socket.close(1009);
      return true;
    });
    service.answer = { status: 413, body: '{"error":{"message":"Too long for us."}}' };
    const running = await startInFront(service.address);
    const answer = await send({ port: running.port, path, body: asBody({}) });
    assert.deepEqual([answer.status, JSON.parse(answer.body.toString()).error.message], [413, 'Too long for us.']);
  });
});
