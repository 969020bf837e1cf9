import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { mock } from 'node:test';
import { FORMAT_NAMES, type FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { formatServerSentEvent } from '../../../../src/formats/serverSentEvents.ts';
import { Router } from '../../../../src/gateway/routing/router.ts';
import { createCompatible } from '../../../../src/gateway/upstreams/compatible.ts';
import { open } from '../support/client.ts';
import { closeAll, closeLater, startGateway, startPair } from '../support/gateway.ts';
import { PAIRS } from '../support/routed.ts';
import { startService } from '../support/scriptedService.ts';
import { BARE_REQUESTS } from '../translation/matrix/bare.ts';

const SILENCE_MS = 10_000;
const HOLD_MS = 30_000;

/** Returns as much of a stream as a translator needs to write something. */
function firstEvent(upstream: FormatName): string {
  const encoder = wireFormats[upstream].createStreamEncoder({
    request: { model: 'a', system: [], messages: [] },
    now: 1_800_000_000,
  });
  const events = [
    ...encoder.push({ type: 'start', id: 'a', model: 'a' }),
    ...encoder.push({ type: 'textDelta', index: 0, text: 'Hi' }),
  ];
  return events.map(formatServerSentEvent).join('');
}

/**
 * Waits for the answer. The gateway holds back its beginning, so it is not known when the gateway has started to wait.
 */
async function answerAfterHold(request: ClientRequest): Promise<IncomingMessage> {
  let answer: IncomingMessage | undefined;
  request.on('response', (response) => {
    answer = response;
  });
  while (answer === undefined) {
    mock.timers.tick(HOLD_MS);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return answer;
}

/** Returns the data of events as a decoder that takes each blank line for the end of one. */
function dispatched(text: string): readonly string[] {
  const events: string[] = [];
  let data: string[] = [];
  for (const line of text.split('\n').slice(0, -1)) {
    if (line.startsWith('data: ')) data.push(line.slice('data: '.length));
    if (line !== '') continue;
    events.push(data.join('\n'));
    data = [];
  }
  return events;
}

describe('a stream with a silent upstream', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach(async () => {
    mock.timers.reset();
    await closeAll();
  });

  const start = async (path: string, ...pieces: string[]) => {
    const { port } = await startPair((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      for (const piece of pieces) response.write(piece);
    });
    const request = open({ port, path: `/api/v1${path}` });
    request.end('{"model":"a","stream":true}');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    const next = async () => String((await once(response, 'data'))[0]);
    return { request, next };
  };

  for (const name of FORMAT_NAMES) {
    const { path } = wireFormats[name];

    it(`has a heartbeat that clients of ${name} ignore`, async () => {
      const { request, next } = await start(path, 'data: {"type":"x"}\n\n');
      await next();
      const beat = next();
      mock.timers.tick(SILENCE_MS);
      assert.equal(await beat, name === 'messages' ? 'event: ping\ndata: {"type":"ping"}\n\n' : ': ping\n');
      request.destroy();
    });

    it(`also has one before its first event, at ${path}`, async () => {
      const { request, next } = await start(path);
      const beat = next();
      mock.timers.tick(SILENCE_MS);
      assert.equal(await beat, ': ping\n');
      request.destroy();
    });
  }

  it('has no ping event of messages before its first event, however late that is', async () => {
    const { request, next } = await start('/messages');
    for (const _ of [1, 2, 3]) {
      const beat = next();
      mock.timers.tick(SILENCE_MS);
      assert.equal(await beat, ': ping\n');
    }
    request.destroy();
  });

  it('has no blank line in comments, which decoders of SDKs in Go and Python take for the end of an event', async () => {
    const { request, next } = await start('/chat/completions', 'id: 1\ndata: {"choices":[]}\n\n');
    let received = await next();
    for (const _ of [1, 2]) {
      const beat = next();
      mock.timers.tick(SILENCE_MS);
      received += await beat;
    }
    assert.deepEqual(dispatched(received), ['{"choices":[]}']);
    request.destroy();
  });

  for (const { caller, upstream } of PAIRS) {
    it(`has heartbeats of ${caller} if it is translated from ${upstream}, also if its first event is late`, async () => {
      mock.timers.reset();
      mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
      const service = await startService((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.flushHeaders();
        said.resolve(response);
      });
      const said = Promise.withResolvers<ServerResponse>();
      closeLater(() => service.close());
      const settings = { id: 'a', baseUrl: service.baseAddress, formats: [upstream], models: ['*'] };
      const router = new Router([{ ...settings, upstream: createCompatible(settings) }]);
      closeLater(() => router.close());
      const { port } = await startGateway({ upstream: router });
      const request = open({ port, path: `/api/v1${wireFormats[caller].path}` });
      request.end(JSON.stringify({ ...BARE_REQUESTS[caller], stream: true }));
      const response = await answerAfterHold(request);
      request.on('error', () => undefined);
      response.on('error', () => undefined);
      const next = async () => String((await once(response, 'data'))[0]);
      const early = next();
      mock.timers.tick(SILENCE_MS);
      assert.equal(await early, ': ping\n');
      const first = next();
      (await said.promise).write(firstEvent(upstream));
      assert.match(await first, /data: \{/);
      const late = next();
      mock.timers.tick(SILENCE_MS);
      assert.equal(await late, caller === 'messages' ? 'event: ping\ndata: {"type":"ping"}\n\n' : ': ping\n');
      request.destroy();
    });
  }

  it('has its heartbeat before an event of which only a part has arrived', async () => {
    const { request, next } = await start('/responses', 'data: 1\n\n', 'data: {"type":');
    assert.equal(await next(), 'data: 1\n\n');
    const beat = next();
    mock.timers.tick(SILENCE_MS);
    assert.equal(await beat, ': ping\n');
    request.destroy();
  });
});
