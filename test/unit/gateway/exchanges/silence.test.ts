import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { createCompatible } from '../../../../src/gateway/upstreams/compatible.ts';
import type { WaitingLimits } from '../../../../src/gateway/upstreams/httpUpstreamSettings.ts';
import { open, read } from '../support/client.ts';
import { closeAll, closeLater, startGateway } from '../support/gateway.ts';
import { startService } from '../support/scriptedService.ts';

/** The clock of undici's own timeouts, which its tests advance. */
const timers: { tick(ms: number): void } = createRequire(import.meta.url)('undici/lib/util/timers.js');
const MINUTE_MS = 60_000;

function pass(minutes: number): void {
  // The first step only starts timers that were set since the last one.
  timers.tick(1_000);
  timers.tick(minutes * MINUTE_MS);
}

describe('a silent upstream', () => {
  afterEach(closeAll);

  const EVENT = 'data: {"choices":[]}\n\n';

  const start = async (limits?: WaitingLimits) => {
    const asked = Promise.withResolvers<ServerResponse>();
    const service = await startService((response) => asked.resolve(response));
    closeLater(() => service.close());
    const { baseAddress: baseUrl } = service;
    const upstream = createCompatible({ id: 'x', baseUrl, formats: ['chat-completions'], models: ['*'], limits });
    closeLater(() => upstream.close());
    const { port } = await startGateway({ upstream });
    const request = open({ port, path: '/api/v1/chat/completions' });
    request.end('{"stream":true}');
    const answered = once(request, 'response').then(([answer]) => answer as IncomingMessage);
    return { response: await asked.promise, answered, service };
  };

  /** @returns the answer once its first event has reached the client, and the upstream's connection. */
  const startStream = async (limits?: WaitingLimits) => {
    const { response, answered, service } = await start(limits);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(EVENT);
    const answer = await answered;
    const whole = read(answer);
    await once(answer, 'data');
    return { response, answer, whole, service };
  };

  it('is allowed in the middle of a stream', async () => {
    const { response, whole } = await startStream();
    pass(4);
    response.end(`${EVENT}data: [DONE]\n\n`);
    const { complete, body } = await whole;
    assert.ok(complete);
    assert.equal(body.toString(), `${EVENT}${EVENT}data: [DONE]\n\n`);
  });

  for (const [name, limits, minutes] of [
    ['five minutes', undefined, 6],
    ['its own limit', { idleSeconds: 60 }, 2],
  ] as const) {
    it(`ends the stream with an error event after ${name}, and is disconnected`, async () => {
      const { whole, service } = await startStream(limits);
      pass(minutes);
      const { body } = await whole;
      assert.match(body.toString().slice(EVENT.length), /"error":\{.*it stopped sending/);
      await service.clientLeft;
    });
  }

  it('is not considered silent while it sends comments', async () => {
    const { response, answer, whole } = await startStream();
    for (let minutes = 0; minutes < 12; minutes += 4) {
      pass(4);
      response.write(': ping\n\n');
      await once(answer, 'data');
    }
    response.end(`data: [DONE]\n\n`);
    assert.match((await whole).body.toString(), /\[DONE\]/);
  });

  it('has no time limit if its limit is 0', async () => {
    const { response, whole } = await startStream({ idleSeconds: 0 });
    pass(600);
    response.end(`${EVENT}data: [DONE]\n\n`);
    assert.match((await whole).body.toString(), /\[DONE\]/);
  });

  it('is allowed before its first byte', async () => {
    const { response, answered } = await start();
    pass(9);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    const answer = await answered;
    assert.deepEqual([answer.statusCode, (await read(answer)).body.toString()], [200, '{}']);
  });

  for (const [name, limits, minutes] of [
    ['ten minutes', undefined, 11],
    ['its own limit', { headersSeconds: 30 }, 1],
  ] as const) {
    it(`times out before its first byte after ${name}`, async () => {
      const { answered } = await start(limits);
      pass(minutes);
      const answer = await answered;
      assert.equal(answer.statusCode, 504);
      assert.match((await read(answer)).body.toString(), /did not start to respond in time/);
    });
  }
});
