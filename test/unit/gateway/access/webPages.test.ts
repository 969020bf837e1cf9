import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders } from 'node:http';
import type { RequestHandlerOptions } from '../../../../src/gateway/server/requestHandlerOptions.ts';
import { type Answer, LOCAL_KEY, send } from '../support/client.ts';
import { closeAll, type RunningGateway, startGateway } from '../support/gateway.ts';
import { InstantUpstream } from '../support/instantUpstream.ts';

const BEARER = `Bearer ${LOCAL_KEY}`;
const JSON_TYPE = { 'content-type': 'application/json' };
const PAGE = 'http://localhost:3000';

describe('access to the gateway from web pages', () => {
  let upstream: InstantUpstream;

  beforeEach(() => {
    upstream = new InstantUpstream();
  });
  afterEach(closeAll);

  const start = (options: Partial<RequestHandlerOptions> = {}): Promise<RunningGateway> =>
    startGateway({ upstream, ...options });
  const post = ({ port }: RunningGateway, headers: OutgoingHttpHeaders, path = '/api/v1/messages'): Promise<Answer> =>
    send({ port, path, headers: { ...JSON_TYPE, ...headers } });

  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1' },
    { origin: PAGE },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]) {
    it(`is refused with 403 for ${JSON.stringify(headers)}, even with the key`, async () => {
      const answer = await post(await start(), { authorization: BEARER, ...headers });
      assert.equal(answer.status, 403);
      assert.equal(answer.headers['access-control-allow-origin'], undefined);
      assert.equal(upstream.asked, 0);
    });
  }

  it('is granted to requests of the browser itself', async () => {
    assert.equal((await post(await start(), { authorization: BEARER, 'sec-fetch-site': 'none' })).status, 200);
  });

  it('is granted to an allowed page, which may read the answer', async () => {
    const running = await start({ allowedOrigins: [PAGE] });
    const headers = { authorization: BEARER, origin: PAGE, 'sec-fetch-site': 'cross-site' };
    const answer = await post(running, headers);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['access-control-allow-origin'], PAGE);
    assert.equal(answer.headers.vary, 'origin');
    const refused = await post(running, { ...headers, authorization: 'Bearer key_wrong' });
    assert.equal(refused.headers['access-control-allow-origin'], PAGE);
  });

  it('answers the preflight of an allowed page without a key, with the requested headers', async () => {
    const { port } = await start({ allowedOrigins: [PAGE] });
    const headers = {
      origin: PAGE,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,x-stainless-lang',
    };
    const answer = await send({ port, path: '/v1/messages', method: 'OPTIONS', headers });
    assert.equal(answer.status, 204);
    assert.equal(answer.headers['access-control-allow-origin'], PAGE);
    assert.equal(answer.headers['access-control-allow-headers'], 'authorization,x-stainless-lang');
    assert.equal(upstream.asked, 0);
  });

  it('refuses the preflight of any other page', async () => {
    const { port } = await start({ allowedOrigins: [PAGE] });
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    const answer = await send({ port, path: '/v1/messages', method: 'OPTIONS', headers });
    assert.equal(answer.status, 403);
    assert.equal(answer.headers['access-control-allow-origin'], undefined);
  });
});
