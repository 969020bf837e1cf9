import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders } from 'node:http';
import type { RequestHandlerOptions } from '../../../../src/gateway/server/requestHandlerOptions.ts';
import { type Answer, json, LOCAL_KEY, send, sendRaw } from '../support/client.ts';
import { closeAll, type RunningGateway, startGateway } from '../support/gateway.ts';
import { InstantUpstream } from '../support/instantUpstream.ts';

const BEARER = `Bearer ${LOCAL_KEY}`;
const JSON_TYPE = { 'content-type': 'application/json' };

describe('access control of the gateway', () => {
  let upstream: InstantUpstream;

  beforeEach(() => {
    upstream = new InstantUpstream();
  });
  afterEach(closeAll);

  const start = (options: Partial<RequestHandlerOptions> = {}): Promise<RunningGateway> =>
    startGateway({ upstream, ...options });
  const post = ({ port }: RunningGateway, headers: OutgoingHttpHeaders, path = '/api/v1/messages'): Promise<Answer> =>
    send({ port, path, headers: { ...JSON_TYPE, ...headers } });

  describe('by key', () => {
    for (const headers of [
      { authorization: BEARER },
      { authorization: `bearer  ${LOCAL_KEY} ` },
      { 'x-api-key': LOCAL_KEY },
      { authorization: 'Bearer key_of-another', 'x-api-key': LOCAL_KEY },
      { authorization: BEARER, 'x-api-key': 'key_of-another' },
    ]) {
      it(`accepts ${JSON.stringify(headers)}`, async () => {
        assert.equal((await post(await start(), headers)).status, 200);
        assert.equal(upstream.asked, 1);
      });
    }

    for (const headers of [
      {},
      { authorization: '' },
      { authorization: 'Bearer ' },
      { authorization: LOCAL_KEY },
      { authorization: `Basic ${LOCAL_KEY}` },
      { authorization: `Bearer ${LOCAL_KEY}x` },
      { authorization: `Bearer ${LOCAL_KEY.slice(0, -1)}` },
      { authorization: `Bearer ${LOCAL_KEY.toUpperCase()}` },
      { 'x-api-key': 'key_wrong' },
    ]) {
      it(`rejects ${JSON.stringify(headers)} with 401`, async () => {
        const answer = await post(await start(), headers);
        assert.equal(answer.status, 401);
        assert.equal(answer.headers['www-authenticate'], 'Bearer');
        assert.equal(upstream.asked, 0);
      });
    }

    it('rejects a key in the query string', async () => {
      assert.equal((await post(await start(), {}, `/api/v1/messages?key=${LOCAL_KEY}`)).status, 401);
    });

    it('applies a change of the keys immediately', async () => {
      const running = await start();
      running.gateway.setLocalKeys([{ id: 'new', name: 'new', secret: 'key_new', createdAt: 0 }]);
      assert.equal((await post(running, { authorization: BEARER })).status, 401);
      assert.equal((await post(running, { authorization: 'Bearer key_new' })).status, 200);
      assert.equal(running.records.at(-1)?.localKeyId, 'new');
    });

    it('requires a key before it reports an unknown path', async () => {
      assert.equal((await post(await start(), {}, '/api/v1/secret')).status, 401);
    });

    it('rejects every request if no key is configured', async () => {
      assert.equal((await post(await start({ localKeys: [] }), { authorization: 'Bearer ' })).status, 401);
    });
  });

  describe('by Host header', () => {
    for (const host of ['127.0.0.1:1', 'localhost', 'LOCALHOST:8787', '[::1]:99']) {
      it(`accepts ${host}`, async () => {
        assert.equal((await post(await start(), { authorization: BEARER, host })).status, 200);
      });
    }

    for (const host of [
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example:80',
      'evil.example@127.0.0.1',
      '127.0.0.1:80:90',
      '0.0.0.0',
      '::1',
    ]) {
      it(`rejects ${host} with 403, even with the key`, async () => {
        const answer = await post(await start(), { authorization: BEARER, host });
        assert.equal(answer.status, 403);
        assert.equal(upstream.asked, 0);
      });
    }

    it('rejects a probe with a foreign host name', async () => {
      const { port } = await start();
      assert.equal(
        (await send({ port, path: '/health', method: 'GET', headers: { host: 'evil.example' } })).status,
        403,
      );
    });

    for (const host of ['10.0.0.7:8787', '[fd00::7]:8787', '0.0.0.0']) {
      it(`accepts a probe of the address ${host}, and rejects other requests to it`, async () => {
        const { port } = await start();
        const probe = (path: string) => send({ port, path, method: 'GET', headers: { host } });
        assert.equal((await probe('/health/ready')).status, 200);
        assert.equal((await probe('/api/v1/models')).status, 403);
      });
    }

    it('accepts a probe without a Host header, as HTTP/1.0 allows', async () => {
      const { port } = await start();
      assert.match(await sendRaw(port, 'GET /health/ready HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /);
    });

    it('rejects an unlisted host name without disclosing the listed ones', async () => {
      const running = await start({ allowedHosts: ['gateway.example'] });
      const answer = await post(running, { authorization: BEARER, host: 'evil.example' });
      assert.equal(answer.status, 403);
      assert.match(answer.body.toString(), /--allow-host/);
      assert.doesNotMatch(answer.body.toString(), /gateway\.example/);
    });

    it('rejects a request without a Host header', async () => {
      const { port } = await start();
      const answer = await sendRaw(port, `GET /api/v1/models HTTP/1.0\r\nauthorization: ${BEARER}\r\n\r\n`);
      assert.match(answer, /^HTTP\/1\.1 403 /);
    });

    it('accepts an additional host name that the user allows', async () => {
      const running = await start({ allowedHosts: ['Host.Docker.Internal'] });
      assert.equal((await post(running, { authorization: BEARER, host: 'host.docker.internal:8787' })).status, 200);
    });
  });

  describe('by content type, path, and method', () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/jsonx',
      'application/json; charset=utf-7',
      'application/json;charset="utf-16"',
      '',
    ]) {
      it(`rejects a body of type "${type}" with 415`, async () => {
        assert.equal((await post(await start(), { authorization: BEARER, 'content-type': type })).status, 415);
        assert.equal(upstream.asked, 0);
      });
    }

    it('rejects a body of two types with 415, because the upstream may read the other one', async () => {
      const { port } = await start();
      const type = ['content-type', 'application/json'];
      const raw = ['host', 'localhost', 'authorization', BEARER, ...type, ...type];
      assert.equal((await send({ port, path: '/v1/messages', headers: raw, body: '{}' })).status, 415);
      assert.equal(upstream.asked, 0);
    });

    for (const type of [
      'application/json',
      'Application/JSON; charset=utf-8',
      'application/json;charset="UTF-8"',
      'application/json; profile=x; charset=utf8',
    ]) {
      it(`accepts a body of type "${type}"`, async () => {
        assert.equal((await post(await start(), { authorization: BEARER, 'content-type': type })).status, 200);
      });
    }

    it('lists the endpoints for an unknown path, and does not blame the model', async () => {
      const answer = await post(await start(), { authorization: BEARER }, '/api/v1/videos');
      assert.equal(answer.status, 404);
      for (const endpoint of [
        '/chat/completions',
        '/messages/count_tokens',
        '/responses/compact',
        '/models',
        '/balance',
      ]) {
        assert.ok(answer.body.includes(endpoint), endpoint);
      }
      assert.equal((json(answer) as { error: { code: string } }).error.code, 'unknown_url');
    });

    for (const [method, path, allow] of [
      ['GET', '/api/v1/messages', 'POST'],
      ['PUT', '/api/v1/chat/completions', 'POST'],
      ['POST', '/api/v1/models', 'GET'],
      ['DELETE', '/api/v1/balance', 'GET'],
    ] as const) {
      it(`rejects ${method} ${path} with 405`, async () => {
        const { port } = await start();
        const answer = await send({ port, path, method, headers: { authorization: BEARER, ...JSON_TYPE } });
        assert.equal(answer.status, 405);
        assert.equal(answer.headers.allow, allow);
      });
    }
  });

  it('answers probes without a key', async () => {
    const { port, records } = await start();
    for (const [method, path] of [
      ['HEAD', '/'],
      ['GET', '/health'],
      ['HEAD', '/api'],
      ['HEAD', '/api/hello'],
    ] as const) {
      assert.equal((await send({ port, path, method, headers: {} })).status, 200, `${method} ${path}`);
    }
    assert.deepEqual([upstream.asked, records.length], [0, 0]);
  });

  it('accepts requests over IPv6 if the machine supports it', async function () {
    const running = await start();
    const call = { port: running.port, path: '/health', method: 'GET', headers: {}, host: '::1' };
    const answer = await send(call).catch(() => undefined);
    if (answer === undefined) this.skip();
    assert.equal(answer.status, 200);
  });
});
