import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { wireFormats } from '../../../../src/formats/index.ts';
import { TokenCounter } from '../../../../src/gateway/counting/tokenCounter.ts';
import { SingleUpstream } from '../../../../src/gateway/routing/singleUpstream.ts';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import { LOCAL_KEY, open, read, send } from '../support/client.ts';
import { closeAll, closeLater, SERVICE_KEY, startGateway } from '../support/gateway.ts';

const LONG = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'word '.repeat(60_000) }] });
const ANSWER = '{"choices":[{"message":{"role":"assistant","content":"Hello"}}],"content":[],"output":[]}';

type Serve = (request: IncomingMessage, response: ServerResponse, nth: number) => unknown;

/** Starts a gateway in front of a single service, which receives long bodies while they arrive. */
async function start(serve: Serve): Promise<number> {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    void serve(
      request.on('error', () => undefined),
      response,
      requests,
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeLater(async () => {
    server.closeAllConnections();
    server.close();
  });
  const counter = new TokenCounter();
  closeLater(() => counter.close());
  const { port } = server.address() as AddressInfo;
  const hosted = createHosted({ baseAddress: `http://127.0.0.1:${port}/api/v1`, serviceKey: SERVICE_KEY });
  const upstream = new SingleUpstream(hosted, counter);
  closeLater(() => upstream.close());
  return (await startGateway({ upstream })).port;
}

const JSON_TYPE = { 'content-type': 'application/json' };

describe('a long body for a single service', () => {
  afterEach(closeAll);

  for (const { path } of Object.values(wireFormats)) {
    for (const [what, fail] of [
      ['a lone error', (response: ServerResponse) => response.writeHead(500, JSON_TYPE).end('{}')],
      ['a broken connection', (response: ServerResponse) => response.socket?.destroy()],
    ] as const) {
      it(`is resent, byte for byte, after ${what} (${path})`, async () => {
        const bodies: string[] = [];
        const port = await start(async (request, response, nth) => {
          bodies.push((await buffer(request)).toString());
          if (nth === 1) fail(response);
          else response.writeHead(200, JSON_TYPE).end(ANSWER);
        });
        const answer = await send({ port, path: `/api/v1${path}`, body: LONG });
        assert.deepEqual([answer.status, answer.body.toString()], [200, ANSWER]);
        assert.deepEqual(
          bodies.map((body) => body.trimEnd()),
          [LONG, LONG],
        );
      });
    }
  }

  it('is not resent if the service answered before it was complete', async () => {
    let asked = 0;
    const port = await start((_request, response, nth) => {
      asked = nth;
      response.writeHead(500, { ...JSON_TYPE, connection: 'close' }).end('{"error":{"message":"No."}}');
    });
    const headers = { authorization: `Bearer ${LOCAL_KEY}`, ...JSON_TYPE, 'content-length': LONG.length };
    const request = open({ port, path: '/api/v1/messages', headers }).on('error', () => undefined);
    request.write(LONG.slice(0, 150_000));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    request.end(LONG.slice(150_000));
    assert.equal((await read(response)).status, 500);
    assert.equal(asked, 1);
  });
});
