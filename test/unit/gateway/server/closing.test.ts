import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { LOCAL_KEY, open, read, send } from '../support/client.ts';
import { closeAll, startPair } from '../support/gateway.ts';

describe('a gateway that closes', () => {
  afterEach(closeAll);

  const withStream = async () => {
    const begun = Promise.withResolvers<ServerResponse>();
    const running = await startPair((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      begun.resolve(response);
    });
    const request = open({ port: running.port, path: '/v1/messages' });
    request.end('{}');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { ...running, response, serviceResponse: await begun.promise };
  };

  it('lets a stream finish', async () => {
    const { gateway, response, serviceResponse, records } = await withStream();
    const answer = read(response);
    const closed = gateway.close(10_000);
    serviceResponse.end('data: 2\n\n');
    await closed;
    assert.equal((await answer).body.toString(), 'data: 1\n\ndata: 2\n\n');
    assert.equal(records[0]?.end, 'completed');
  });

  it('ends a stream that takes too long with an error event, and its request to the service', async () => {
    const { gateway, response, service } = await withStream();
    const answer = read(response);
    await gateway.close(20);
    await service.clientLeft;
    const { body, complete } = await answer;
    assert.match(body.toString(), /^data: 1\n\n\s*event: error\ndata: .*stopping/);
    assert.equal(complete, true);
  });

  it('answers a pending request with 503', async () => {
    const asked = Promise.withResolvers<void>();
    const { port, gateway } = await startPair(() => asked.resolve());
    const answer = send({ port, path: '/v1/chat/completions' });
    await asked.promise;
    await gateway.close(0);
    assert.equal((await answer).status, 503);
  });

  it('answers a new request on an open connection with 503', async () => {
    const { port, gateway, response, serviceResponse } = await withStream();
    const kept = connect(port, '127.0.0.1');
    const said: string[] = [];
    kept.on('data', (bytes) => said.push(bytes.toString()));
    // The first half of a request keeps the connection from being idle.
    kept.write('GET /api/v1/models HTTP/1.1\r\nHost: localhost\r\n');
    await once(kept, 'ready');
    await send({ port, path: '/health', method: 'GET' });
    const closed = gateway.close(10_000);
    kept.write(`Authorization: Bearer ${LOCAL_KEY}\r\n\r\n`);
    await once(kept, 'close');
    assert.match(said.join(''), /^HTTP\/1\.1 503 [\s\S]*The gateway is stopping/);
    const answer = read(response);
    serviceResponse.end('data: 2\n\n');
    await closed;
    assert.equal((await answer).complete, true);
  });

  it('is alive and not ready while it drains, and refuses new requests until the streams have finished', async () => {
    const { port, gateway, response, serviceResponse, records } = await withStream();
    const answer = read(response);
    const get = async (path: string) => (await send({ port, path, method: 'GET' })).status;
    assert.equal(await get('/health/ready'), 200);
    const drained = gateway.drain(600_000);
    assert.deepEqual([await get('/health/ready'), await get('/health/live')], [503, 200]);
    assert.equal((await send({ port, path: '/v1/messages' })).status, 503);
    serviceResponse.end('data: 2\n\n');
    await drained;
    assert.equal((await answer).body.toString(), 'data: 1\n\ndata: 2\n\n');
    assert.equal(records.at(-1)?.end, 'completed');
    await gateway.close(0);
    await assert.rejects(get('/health/live'), { code: 'ECONNREFUSED' });
  });

  it('frees its port', async () => {
    const { port, gateway } = await startPair();
    await gateway.close();
    await assert.rejects(send({ port, path: '/health', method: 'GET' }), { code: 'ECONNREFUSED' });
  });

  it('reports which port is in use', async () => {
    const first = await startPair();
    const second = await startPair();
    await assert.rejects(second.gateway.listen(first.port), { code: 'EADDRINUSE' });
  });
});
