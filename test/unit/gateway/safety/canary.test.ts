import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import { LOCAL_KEY, open, read } from '../support/client.ts';
import { closeAll, SERVICE_KEY, startGateway, startPair } from '../support/gateway.ts';
import type { Script } from '../support/scriptedService.ts';

/** Ways in which the service can fail, most of them with the key in its output. */
const FAULTS: Readonly<Record<string, Script>> = {
  'quotes the key in an error': (response) => {
    response
      .writeHead(401, { 'content-type': 'application/json', 'x-echo': SERVICE_KEY })
      .end(`{"key":"${SERVICE_KEY}"}`);
  },
  'quotes the key in a compressed error': (response) => {
    response.writeHead(500, { 'content-encoding': 'gzip' }).end(gzipSync(SERVICE_KEY.repeat(3)));
  },
  'quotes the key in an error page': (response) => {
    response.writeHead(403, { 'content-type': 'text/html' }).end(`<p>${SERVICE_KEY}</p>`);
  },
  'redirects to an address with the key': (response) => {
    response.writeHead(302, { location: `https://elsewhere.example/?key=${SERVICE_KEY}` }).end();
  },
  'breaks off': (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: 1\n\n', () => response.socket?.destroy());
  },
  'does not answer': (response) => response.socket?.destroy(),
  'does not speak HTTP': (response) => response.socket?.end(`${SERVICE_KEY}\r\n`),
  'speaks HTTP badly': (response) => response.socket?.end(`HTTP/1.1 200 OK\r\nx-key: ${SERVICE_KEY}\x00\r\n\r\n`),
};

const CALLS = ['/v1/chat/completions', '/v1/messages', '/v1/responses'];

describe('the service key', () => {
  afterEach(closeAll);

  const findIn = (...places: unknown[]) => {
    const text = places.map((place) => (place instanceof Error ? `${place.stack}` : JSON.stringify(place))).join('\n');
    assert.ok(!text.includes(SERVICE_KEY) && !text.includes(SERVICE_KEY.slice(4)), text);
  };

  for (const [fault, script] of Object.entries(FAULTS)) {
    it(`is in no answer, record, or report if the service ${fault}`, async () => {
      const { port, records, errors } = await startPair(script);
      for (const path of CALLS) {
        const request = open({ port, path });
        request.end('{"model":"m"}');
        const [response] = (await once(request, 'response')) as [IncomingMessage];
        const { rawHeaders, body } = await read(response);
        findIn(rawHeaders, body.toString('latin1'));
      }
      assert.equal(records.length, CALLS.length);
      findIn(records, ...errors);
    });
  }

  it('is in no answer, record, or report if the service cannot be reached', async () => {
    const upstream = createHosted({ baseAddress: 'http://nowhere.invalid/api/v1', serviceKey: SERVICE_KEY });
    const { port, records, errors } = await startGateway({ upstream });
    const request = open({ port, path: '/v1/messages' });
    request.end('{}');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const { rawHeaders, body } = await read(response);
    findIn(rawHeaders, body.toString(), records, ...errors);
  });

  it('is not in the error for an unusable base address', () => {
    assert.throws(
      () => createHosted({ baseAddress: 'ftp://host/api/v1', serviceKey: SERVICE_KEY }),
      (error: Error) => !error.message.includes(SERVICE_KEY),
    );
  });
});

describe('the local key', () => {
  afterEach(closeAll);

  it('is in no record, and in nothing that the service receives', async () => {
    const { port, records, service } = await startPair();
    const headers = {
      authorization: `Bearer ${LOCAL_KEY}`,
      'x-api-key': LOCAL_KEY,
      'content-type': 'application/json',
    };
    const request = open({ port, path: '/v1/messages', headers });
    request.end('{}');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await read(response);
    assert.ok(!JSON.stringify([records, service.requests]).includes(LOCAL_KEY));
  });
});
