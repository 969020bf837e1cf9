import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { CapturedBody } from '../../../../src/gateway/traffic/protocol.ts';
import { Traffic, type TrafficLimits } from '../../../../src/gateway/traffic/traffic.ts';
import { LOCAL_KEY, open, read, send } from '../support/client.ts';
import { closeAll, SERVICE_KEY, startPair } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';
import type { Script } from '../support/scriptedService.ts';

const JSON_ANSWER: Script = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'x-served-by': 'tests' }).end('{"text":"an answer"}');
};

describe('the memory of recent exchanges', () => {
  afterEach(closeAll);

  const started = async (script: Script = JSON_ANSWER, limits: Partial<TrafficLimits> = {}) => {
    const traffic = new Traffic(limits);
    const pair = await startPair(script, { traffic, onExchange: (record) => traffic.ended(record) });
    return { ...pair, traffic };
  };

  /** Sends a request and waits until it has ended. */
  const exchanged = async (
    { port, traffic }: Awaited<ReturnType<typeof started>>,
    { path = '/v1/messages', body = '{"model":"m"}', headers = {} } = {},
  ) => {
    const seen: string[] = [];
    const begin = traffic.begin.bind(traffic);
    traffic.begin = (id, format, raw) => {
      seen.push(id);
      return begin(id, format, raw);
    };
    const all = { authorization: `Bearer ${LOCAL_KEY}`, 'content-type': 'application/json', ...headers };
    await send({ port, path, body, headers: all });
    traffic.begin = begin;
    const [id = ''] = seen;
    while (traffic.details(id)?.record === undefined) await new Promise((resolve) => setImmediate(resolve));
    return id;
  };

  /** A stream whose first event was sent, and that continues when the test says so. */
  const streaming = async () => {
    const answered = Promise.withResolvers<ServerResponse>();
    const running = await started((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"type":"ping"}\n\n');
      answered.resolve(response);
    });
    running.traffic.setCapturing(true);
    const sent = exchanged(running, { body: '{"model":"m","stream":true}' });
    return { running, sent, response: await answered.promise };
  };

  const text = (body: CapturedBody | undefined) => body?.pieces.map(([, piece]) => piece).join('');

  it('has the headers of both sides without credentials', async () => {
    const running = await started();
    const headers = { 'x-api-key': LOCAL_KEY, cookie: 'session=1', 'x-title': 'a tool' };
    const details = running.traffic.details(await exchanged(running, { headers }));
    assert.ok(details?.requestHeaders?.some(([name, value]) => name === 'x-title' && value === 'a tool'));
    assert.ok(details?.answerHeaders?.some(([name, value]) => name === 'x-served-by' && value === 'tests'));
    const all = JSON.stringify(details);
    assert.ok(![LOCAL_KEY, SERVICE_KEY, 'session=1'].some((secret) => all.includes(secret)), all);
    assert.equal(details?.record?.status, 200);
  });

  it('states why a request was refused, with its headers', async () => {
    const running = await started();
    const details = running.traffic.details(await exchanged(running, { path: '/v1/nowhere' }));
    assert.match(details?.problem ?? '', /path does not exist/);
    assert.ok(details?.requestHeaders?.some(([name]) => name === 'content-type'));
    assert.ok(!JSON.stringify(details).includes(LOCAL_KEY));
  });

  it('has no bodies by default', async () => {
    const running = await started();
    const id = await exchanged(running, { body: '{"model":"m","canary":1}' });
    assert.deepEqual(running.traffic.details(id)?.bodies, []);
    assert.equal(await running.traffic.body(id, 'request'), undefined);
    assert.ok(!JSON.stringify(running.traffic.details(id)).includes('canary'));
  });

  it('has bodies once they are captured', async () => {
    const running = await started();
    running.traffic.setCapturing(true);
    const id = await exchanged(running, { body: '{"model":"m","messages":[]}' });
    assert.equal(text(await running.traffic.body(id, 'request')), '{"model":"m","messages":[]}');
    assert.equal(text(await running.traffic.body(id, 'answer')), '{"text":"an answer"}');
    assert.deepEqual(running.traffic.details(id)?.bodies, [
      { part: 'request', bytes: 27, keptBytes: 27 },
      { part: 'answer', bytes: 20, keptBytes: 20 },
    ]);
  });

  it('has complete long bodies, which are otherwise streamed through', async () => {
    const running = await started();
    running.traffic.setCapturing(true);
    const body = JSON.stringify({ model: 'm', text: 'x'.repeat(300_000) });
    const id = await exchanged(running, { body });
    assert.equal(text(await running.traffic.body(id, 'request')), body);
    assert.equal(running.service.requests[0]?.body.toString(), body);
  });

  it('reports which requests are complete', async () => {
    const running = await started();
    const before = await exchanged(running);
    running.traffic.setCapturing(true);
    const whole = await exchanged(running);
    const cut = await exchanged(running, { body: JSON.stringify({ model: 'm', text: 'x'.repeat(2.1 * 1024 * 1024) }) });
    assert.deepEqual(running.traffic.captured([before, whole, cut, 'unknown']), [whole]);
    running.traffic.deleteBodies();
    assert.deepEqual(running.traffic.captured([whole]), []);
  });

  it('masks keys in bodies', async () => {
    const running = await started((response) => {
      response.writeHead(200).end(`{"echo":"${LOCAL_KEY}","other":"vendor-secret-123"}`);
    });
    running.traffic.setCapturing(true);
    running.traffic.addSecrets(['vendor-secret-123']);
    const id = await exchanged(running, { body: `{"model":"m","text":"my key is ${SERVICE_KEY}"}` });
    const all = `${text(await running.traffic.body(id, 'request'))}${text(await running.traffic.body(id, 'answer'))}`;
    assert.ok(![LOCAL_KEY, SERVICE_KEY, 'vendor-secret-123'].some((secret) => all.includes(secret)), all);
    assert.ok(all.includes('my key is key_•••'));
  });

  it('decompresses compressed answers', async () => {
    const running = await started((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"compressed":true}'));
    });
    running.traffic.setCapturing(true);
    const id = await exchanged(running, { headers: { 'accept-encoding': 'gzip' } });
    const body = await running.traffic.body(id, 'answer');
    assert.deepEqual([text(body), body?.isReadable], ['{"compressed":true}', true]);
  });

  it('reports an answer that cannot be decompressed', async () => {
    const running = await started((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip at all');
    });
    running.traffic.setCapturing(true);
    const body = await running.traffic.body(await exchanged(running), 'answer');
    assert.deepEqual([body?.isReadable, body?.pieces, body?.bytes], [false, [], 14]);
  });

  it('keeps the time of each chunk of a stream', async () => {
    const { running, sent, response } = await streaming();
    while (running.gateway.running[0]?.bytesOut !== 23) await new Promise((resolve) => setImmediate(resolve));
    response.end('data: {"type":"message_stop"}\n\n');
    const pieces = (await running.traffic.body(await sent, 'answer'))?.pieces ?? [];
    assert.deepEqual(
      pieces.map(([, piece]) => piece),
      ['data: {"type":"ping"}\n\n', 'data: {"type":"message_stop"}\n\n'],
    );
    const [[firstAt] = [0], [lastAt] = [0]] = pieces;
    assert.ok(firstAt > 0 && lastAt > firstAt, `${firstAt} ${lastAt}`);
  });

  it('drops the bodies that were captured first if there is too much', async () => {
    const running = await started(JSON_ANSWER, { bytes: 2_500 });
    running.traffic.setCapturing(true);
    const body = JSON.stringify({ model: 'm', text: 'x'.repeat(1_000) });
    const ids = [
      await exchanged(running, { body }),
      await exchanged(running, { body }),
      await exchanged(running, { body }),
    ];
    const kept = ids.map((id) => (running.traffic.details(id)?.bodies ?? []).length);
    assert.deepEqual(kept, [0, 2, 2]);
  });

  it('truncates a body that is larger than the whole capacity, and reports it', async () => {
    const running = await started(JSON_ANSWER, { bytes: 10 });
    running.traffic.setCapturing(true);
    const id = await exchanged(running, { body: '{"model":"m","more":1}' });
    assert.deepEqual(running.traffic.details(id)?.bodies[0], { part: 'request', bytes: 22, keptBytes: 0 });
  });

  it('keeps a limited number of exchanges', async () => {
    const running = await started(JSON_ANSWER, { exchanges: 1 });
    const first = await exchanged(running);
    const second = await exchanged(running);
    assert.equal(running.traffic.details(first), undefined);
    assert.equal(running.traffic.details(second)?.id, second);
  });

  it('deletes bodies on request, and when capturing is switched off', async () => {
    const running = await started();
    running.traffic.setCapturing(true);
    const first = await exchanged(running);
    running.traffic.deleteBodies();
    assert.deepEqual(running.traffic.details(first)?.bodies, []);
    const second = await exchanged(running);
    assert.equal(running.traffic.details(second)?.bodies.length, 2);
    running.traffic.setCapturing(false);
    assert.equal(await running.traffic.body(second, 'answer'), undefined);
  });

  it('keeps no further data of a stream whose bodies were deleted', async () => {
    const { running, sent, response } = await streaming();
    running.traffic.deleteBodies();
    response.end('data: {"type":"message_stop"}\n\n');
    assert.deepEqual(running.traffic.details(await sent)?.bodies, []);
  });
});

describe('a translated exchange', () => {
  afterEach(closeAll);

  it('shows both sides, and which upstreams were called', async () => {
    const traffic = new Traffic();
    traffic.setCapturing(true);
    const running = await startRouter(
      [
        {
          id: 'dead',
          script: () => ({ status: 503, body: { error: { message: 'Too much to do.', type: 'server_error' } } }),
        },
        { id: 'alive', script: () => ({ parts: [{ text: 'Hello there' }] }) },
      ],
      {},
      { traffic, onExchange: (record) => traffic.ended(record) },
    );
    const seen: string[] = [];
    const begin = traffic.begin.bind(traffic);
    traffic.begin = (id, format, raw) => {
      seen.push(id);
      return begin(id, format, raw);
    };
    const body = '{"model":"m","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"Hi"}]}';
    await send({ port: running.port, path: '/v1/messages', body });
    const [id = ''] = seen;
    const details = traffic.details(id);
    assert.deepEqual(
      details?.attempts.map(({ upstream }) => upstream),
      ['dead', 'alive'],
    );
    assert.deepEqual(
      details?.bodies.map(({ part }) => part),
      ['request', 'upstreamRequest', 'upstreamAnswer', 'answer'],
    );
    const all = async (part: 'upstreamRequest' | 'upstreamAnswer' | 'answer') =>
      (await traffic.body(id, part))?.pieces.map(([, piece]) => piece).join('') ?? '';
    assert.match(await all('upstreamRequest'), /"max_(completion_)?tokens":9/);
    assert.match(await all('upstreamAnswer'), /chat\.completion\.chunk/);
    assert.match(await all('answer'), /content_block_delta/);
  });
});

describe('a running exchange', () => {
  afterEach(closeAll);

  const streaming: Script = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: ping\ndata: {"type":"ping"}\n\n');
  };

  it('is listed with its known data, and ends when it is cancelled', async () => {
    const running = await startPair(streaming);
    const sent = open({ port: running.port, path: '/v1/messages' });
    sent.end('{"model":"m","stream":true}');
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    await once(response, 'readable');
    const [listed] = running.gateway.running;
    assert.deepEqual(
      [listed?.model, listed?.status, listed?.upstream, listed?.bytesOut, listed?.localKeyId],
      ['m', 200, 'hosted', 35, 'tests'],
    );
    assert.ok(!('end' in (listed ?? {})));
    const ended = running.nextRecord();
    running.gateway.cancel(listed?.id ?? '');
    const { body } = await read(response);
    assert.match(body.toString(), /event: error\ndata: .*canceled in the editor/);
    assert.equal((await ended).end, 'cancelled');
    await running.service.clientLeft;
    assert.deepEqual(running.gateway.running, []);
  });

  it('without an answer is answered with an error when it is cancelled', async () => {
    const asked = Promise.withResolvers<void>();
    const running = await startPair(() => asked.resolve());
    const answer = send({ port: running.port, path: '/v1/responses' });
    await asked.promise;
    running.gateway.cancel(running.gateway.running[0]?.id ?? '');
    const { status, body } = await answer;
    assert.equal(status, 499);
    assert.match(body.toString(), /canceled in the editor/);
  });
});
