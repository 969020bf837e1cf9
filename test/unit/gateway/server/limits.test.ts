import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { AnswerSink, Upstream } from '../../../../src/gateway/core/upstream.ts';
import type { UsageEstimator } from '../../../../src/gateway/core/usageEstimator.ts';
import type { KeySource } from '../../../../src/gateway/keys/keyRing.ts';
import { Router } from '../../../../src/gateway/routing/router.ts';
import { createCompatible } from '../../../../src/gateway/upstreams/compatible.ts';
import { json, LOCAL_KEY, open, read, send, sendRaw } from '../support/client.ts';
import { closeAll, closeLater, startGateway, startPair } from '../support/gateway.ts';
import { startService } from '../support/scriptedService.ts';

const HEAD = `POST /v1/messages HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${LOCAL_KEY}\r\ncontent-type: application/json\r\n`;

describe('a body with a length limit', () => {
  afterEach(closeAll);

  it('is refused with 413 by its declared length, before a byte of it is read', async () => {
    const { port, service } = await startPair();
    const request = open({
      port,
      path: '/v1/messages',
      headers: {
        authorization: `Bearer ${LOCAL_KEY}`,
        'content-type': 'application/json',
        'content-length': 32 * 1024 * 1024 + 1,
      },
    });
    request.on('error', () => undefined).flushHeaders();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const answer = await read(response);
    request.destroy();
    assert.equal(answer.status, 413);
    assert.equal((json(answer) as { type: string }).type, 'error');
    assert.match(answer.body.toString(), /32 MB/);
    assert.equal(service.requests.length, 0);
  });

  it('is refused with 413 if it grows too long without a declared length', async () => {
    const { port, service } = await startPair(undefined, { bodyLimits: { maxBytes: 100_000 } });
    const request = open({ port, path: '/v1/chat/completions' });
    request.on('error', () => undefined);
    const piece = Buffer.alloc(30_000, 'x');
    for (let sent = 0; sent < 5; sent++) request.write(piece);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    request.end();
    assert.equal((await read(response)).status, 413);
    assert.equal(service.requests.length, 0);
  });

  it('is answered even if the client sends all of it before it reads', async () => {
    const { port } = await startPair(undefined, { bodyLimits: { maxBytes: 1000 } });
    const answer = await send({ port, path: '/v1/messages', body: Buffer.alloc(5_000_000, 'x') });
    assert.equal(answer.status, 413);
  });

  it('is accepted if it is exactly as long as allowed', async () => {
    const { port, service } = await startPair(undefined, { bodyLimits: { maxBytes: 1000 } });
    assert.equal((await send({ port, path: '/v1/messages', body: Buffer.alloc(1000, ' ') })).status, 200);
    assert.equal(service.requests[0]?.body.length, 1000);
  });
});

describe('a slow client', () => {
  afterEach(closeAll);

  it('is refused with 408 in its format if its body does not arrive', async () => {
    const { port, records } = await startPair(undefined, { bodyLimits: { timeoutMs: 50 } });
    const socket = connect(port, '127.0.0.1');
    socket.write(`${HEAD}content-length: 10\r\n\r\n{"a"`);
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    assert.match(chunk.toString(), /^HTTP\/1\.1 408 [\s\S]*"type":"error"/);
    await once(socket, 'close');
    assert.equal(records[0]?.end, 'refused');
  });

  it('is refused if its headers are too long', async () => {
    const { port } = await startPair();
    const answer = await sendRaw(port, `${HEAD}x-long: ${'x'.repeat(70_000)}\r\n\r\n`);
    assert.match(answer, /^HTTP\/1\.1 431 /);
  });

  it('may send headers as long as those of agents', async () => {
    const { port, service } = await startPair();
    const headers = {
      authorization: `Bearer ${LOCAL_KEY}`,
      'content-type': 'application/json',
      'x-codex-turn-metadata': 'x'.repeat(40_000),
    };
    assert.equal((await send({ port, path: '/v1/responses', headers })).status, 200);
    assert.equal(service.requests[0]?.headers['x-codex-turn-metadata']?.length, 40_000);
  });
});

describe('too many parallel exchanges', () => {
  afterEach(closeAll);

  it('are refused with 503 until one ends', async () => {
    const sinks: AnswerSink[] = [];
    const asked = Promise.withResolvers<void>();
    const upstream: Upstream = {
      id: 'slow',
      send(_request, sink) {
        sinks.push(sink);
        if (sinks.length === 2) asked.resolve();
        return { pause: () => undefined, resume: () => undefined, cancel: () => undefined };
      },
      close: () => Promise.resolve(),
    };
    const { port } = await startGateway({ upstream, maxExchanges: 2 });
    const first = [send({ port, path: '/v1/messages' }), send({ port, path: '/v1/messages' })];
    await asked.promise;
    const refused = await send({ port, path: '/v1/messages' });
    assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '1']);
    for (const sink of sinks) {
      sink.start(200, {});
      sink.end();
    }
    assert.deepEqual(
      (await Promise.all(first)).map(({ status }) => status),
      [200, 200],
    );
  });
});

describe('a slow reader', () => {
  afterEach(closeAll);

  it('slows down the service instead of filling the memory, and gets everything', async () => {
    const total = 48 * 1024 * 1024;
    let sent = 0;
    const { port } = await startPair((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      // Whole events, which are passed as they are.
      const chunk = Buffer.from(`data: ${'x'.repeat(64 * 1024 - 8)}\n\n`);
      const fill = () => {
        while (sent < total) {
          sent += chunk.length;
          if (!response.write(chunk)) return;
        }
        response.end();
      };
      response.on('drain', fill);
      fill();
    });
    const request = open({ port, path: '/v1/messages' });
    request.end('{}');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.pause();
    let before = -1;
    while (before !== sent) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.ok(sent < total / 2, `${sent} bytes were accepted although the client did not read`);
    let received = 0;
    response.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    response.resume();
    await once(response, 'end');
    assert.equal(received, total);
  });

  it('slows down an upstream of another format, whose answer is translated', async () => {
    const total = 64 * 1024 * 1024;
    const event = `data: ${JSON.stringify({ id: '1', choices: [{ index: 0, delta: { content: 'x'.repeat(1000) } }] })}\n\n`;
    const chunk = Buffer.from(event.repeat(60));
    let sent = 0;
    const service = await startService((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const fill = () => {
        while (sent < total && response.write(chunk)) sent += chunk.length;
      };
      response.on('drain', fill);
      fill();
    });
    closeLater(() => service.close());
    const settings = {
      id: 'other',
      baseUrl: service.baseAddress,
      formats: ['chat-completions'],
      models: ['*'],
    } as const;
    const upstream = new Router([{ ...settings, upstream: createCompatible(settings) }]);
    closeLater(() => upstream.close());
    const { port } = await startGateway({ upstream });
    const request = open({ port, path: '/v1/messages' }).on('error', () => undefined);
    request.end('{"model":"m","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"x"}]}');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => undefined).pause();
    for (let before = -1; before !== sent; ) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    assert.ok(sent > 0 && sent < total / 2, `${sent} bytes were accepted although the client did not read`);
    request.destroy();
  });
});

describe('many requests at once', () => {
  afterEach(closeAll);

  it('start in several turns of the event loop', async () => {
    let turn = 0;
    let isOver = false;
    const countTurns = () => {
      turn += 1;
      if (!isOver) setImmediate(countTurns);
    };
    const starts: number[] = [];
    const keySource: KeySource = {
      identify: () => {
        starts.push(turn);
        // As long as a hundred slow starts.
        block(60);
        return Promise.resolve({ ok: false, refusal: { error: { kind: 'authentication', message: 'Unknown key.' } } });
      },
      watch: () => undefined,
    };
    const { port } = await startPair(undefined, { keySource });
    const sockets = await Promise.all(Array.from({ length: 5 }, () => opened(port)));
    setImmediate(countTurns);
    const answers = sockets.map((socket) => once(socket, 'data'));
    for (const socket of sockets) socket.write('GET /v1/models HTTP/1.1\r\nhost: localhost\r\n\r\n');
    for (const [answer] of await Promise.all(answers)) assert.match(String(answer), /^HTTP\/1\.1 401 /);
    isOver = true;
    assert.equal(new Set(starts).size, 5);
    for (const socket of sockets) socket.destroy();
  });
});

describe('many connections that arrive at once', () => {
  const CONNECTIONS = 30;

  afterEach(closeAll);

  it('are accepted before the work for their requests continues, so that a probe behind them is answered', async () => {
    let starts = 0;
    const keySource: KeySource = {
      identify: () => {
        starts += 1;
        block(25);
        return Promise.resolve({ ok: false, refusal: { error: { kind: 'authentication', message: 'Unknown key.' } } });
      },
      watch: () => undefined,
    };
    const { port } = await startPair(undefined, { keySource });
    const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1'));
    const answers = sockets.map((socket) => once(socket, 'data'));
    for (const socket of sockets) socket.write('GET /v1/models HTTP/1.1\r\nhost: localhost\r\n\r\n');
    const probe = await opened(port);
    assert.ok(starts < CONNECTIONS / 2, `${starts} requests started before the probe was answered`);
    await Promise.all(answers);
    for (const socket of [probe, ...sockets]) socket.destroy();
  });
});

describe('many clients that disconnect at once', () => {
  const STREAMS = 5;
  const PIECE = `data: {"choices":[{"index":0,"delta":{"content":"${'a'.repeat(20_000)}"}}]}\n\n`;

  afterEach(closeAll);

  it('are recorded in several turns of the event loop', async () => {
    let turn = 0;
    let isOver = false;
    const countTurns = () => {
      turn += 1;
      if (!isOver) setImmediate(countTurns);
    };
    const turns: number[] = [];
    const estimator: UsageEstimator = {
      input: async () => 1,
      output: async () => {
        turns.push(turn);
        // As long as a hundred long answers.
        block(60);
        return 1;
      },
    };
    const { port, records, nextRecord } = await startPair(
      (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(PIECE),
      { estimator },
    );
    const requests = Array.from({ length: STREAMS }, () => open({ port, path: '/v1/chat/completions' }).end('{}'));
    await Promise.all(requests.map(untilData));
    setImmediate(countTurns);
    for (const request of requests) request.on('error', () => undefined).destroy();
    while (records.length < STREAMS) await nextRecord();
    isOver = true;
    assert.equal(new Set(turns).size, STREAMS);
  });
});

async function untilData(request: ClientRequest): Promise<void> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  await once(response, 'data');
}

/** Returns a connection that the server has accepted. */
async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

function block(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}
