import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { open, read } from '../support/client.ts';
import { closeAll, startPair } from '../support/gateway.ts';

/** The clock of the library's own timeouts, which its tests put forward. */
const timers: { tick(ms: number): void } = createRequire(import.meta.url)('undici/lib/util/timers.js');
const LONGER_THAN_USUAL_TIMEOUTS_MS = 600_000;

describe('an upstream that is silent for ten minutes', () => {
  afterEach(closeAll);

  const EVENT = 'data: {"choices":[]}\n\n';

  it('is waited for in the middle of a stream', async () => {
    const { port, service } = await startPair((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(EVENT);
      silent.resolve(response);
    });
    const silent = Promise.withResolvers<ServerResponse>();
    const request = open({ port, path: '/api/v1/chat/completions' });
    request.end('{"stream":true}');
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    const whole = read(answer);
    await once(answer, 'data');
    timers.tick(LONGER_THAN_USUAL_TIMEOUTS_MS);
    (await silent.promise).end(`${EVENT}data: [DONE]\n\n`);
    const { complete, body } = await whole;
    assert.ok(complete);
    assert.equal(body.toString(), `${EVENT}${EVENT}data: [DONE]\n\n`);
    assert.equal(service.requests.length, 1);
  });

  it('is waited for before its first byte', async () => {
    const silent = Promise.withResolvers<ServerResponse>();
    const { port } = await startPair((response) => silent.resolve(response));
    const request = open({ port, path: '/api/v1/chat/completions' });
    request.end('{}');
    const response = await silent.promise;
    timers.tick(LONGER_THAN_USUAL_TIMEOUTS_MS);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    assert.deepEqual([answer.statusCode, (await read(answer)).body.toString()], [200, '{}']);
  });
});
