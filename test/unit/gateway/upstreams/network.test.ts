import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { NetworkSettings } from '../../../../src/gateway/upstreams/dispatcher.ts';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import { send } from '../support/client.ts';
import { closeAll, SERVICE_KEY, startGateway } from '../support/gateway.ts';
import { type ForwardProxy, startProxy } from '../support/proxy.ts';
import { type ScriptedService, startService } from '../support/scriptedService.ts';

const CREDENTIALS = 'Basic dXNlcjpwYXNz';
const PROXY_VARIABLES = ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

function certificate(name: string): Promise<string> {
  return readFile(new URL(`../support/certificates/${name}.pem`, import.meta.url), 'utf8');
}

describe('the connection to the hosted service', () => {
  let authority: string;
  let secure: ScriptedService;
  let plain: ScriptedService;
  let proxy: ForwardProxy;
  let environment: Readonly<NodeJS.ProcessEnv>;

  before(async () => {
    authority = await certificate('authority');
  });
  beforeEach(async () => {
    environment = { ...process.env };
    for (const name of PROXY_VARIABLES) delete process.env[name];
    const tls = { key: await certificate('serviceKey'), cert: await certificate('service') };
    [secure, plain, proxy] = await Promise.all([
      startService(undefined, { tls }),
      startService(),
      startProxy(CREDENTIALS),
    ]);
  });
  afterEach(async () => {
    for (const name of PROXY_VARIABLES) {
      delete process.env[name];
      if (environment[name] !== undefined) process.env[name] = environment[name];
    }
    await closeAll();
    await Promise.all([secure.close(), plain.close(), proxy.close()]);
  });

  const ask = async (baseAddress: string, network: NetworkSettings) => {
    const upstream = createHosted({ baseAddress, serviceKey: SERVICE_KEY, network });
    const { port } = await startGateway({ upstream });
    return send({ port, path: '/v1/messages' });
  };
  const secureAddress = () => `https://service.test:${secure.port}/api/v1`;
  const plainAddress = () => `http://service.test:${plain.port}/api/v1`;
  const throughProxy = () => ({ proxy: proxy.address, proxyAuthorization: CREDENTIALS, certificates: [authority] });

  it('uses a tunnel of the proxy, with its credentials and a private CA', async () => {
    const answer = await ask(secureAddress(), throughProxy());
    assert.equal(answer.status, 200);
    assert.deepEqual(proxy.requests, [{ target: `CONNECT service.test:${secure.port}`, authorization: CREDENTIALS }]);
    assert.equal(secure.requests[0]?.headers.authorization, `Bearer ${SERVICE_KEY}`);
    assert.equal(secure.requests[0]?.headers['proxy-authorization'], undefined);
  });

  it('also uses the proxy for plain http', async () => {
    assert.equal((await ask(plainAddress(), throughProxy())).status, 200);
    assert.deepEqual(proxy.requests, [
      { target: `POST http://service.test:${plain.port}/api/v1/messages`, authorization: CREDENTIALS },
    ]);
    assert.equal(plain.requests.length, 1);
  });

  it('uses the proxy from the environment if the settings name none', async () => {
    const { host } = new URL(proxy.address);
    process.env.HTTPS_PROXY = `http://user:pass@${host}`;
    assert.equal((await ask(secureAddress(), { certificates: [authority] })).status, 200);
    assert.equal(proxy.requests.length, 1);
  });

  for (const [name, noProxy, variable] of [
    ['the settings', ['other.test', 'service.test'], undefined],
    ['the environment', undefined, 'service.test'],
  ] as const) {
    it(`bypasses the proxy for hosts excluded by ${name}`, async () => {
      if (variable !== undefined) process.env.NO_PROXY = variable;
      const answer = await ask(secureAddress(), { ...throughProxy(), ...(noProxy && { noProxy }) });
      assert.equal(answer.status, 502, 'the name is known to the proxy only');
      assert.equal(proxy.requests.length, 0);
    });
  }

  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '127.0.0.2', '0.0.0.0']) {
    it(`bypasses the proxy for this machine as ${host}`, async function () {
      if (process.platform !== 'linux' && host !== '127.0.0.1') this.skip();
      await ask(`http://${host}:${plain.port}/api/v1`, throughProxy());
      assert.equal(proxy.requests.length, 0);
    });
  }

  it('uses a password with a percent sign as it is written', async () => {
    await proxy.close();
    for (const [written, password] of [
      ['half%off', 'half%off'],
      ['100%', '100%'],
      ['%e4%', '%e4%'],
      ['a%20b', 'a b'],
    ] as const) {
      proxy = await startProxy(`Basic ${Buffer.from(`user:${password}`).toString('base64')}`);
      const { host } = new URL(proxy.address);
      const answer = await ask(secureAddress(), { proxy: `http://user:${written}@${host}`, certificates: [authority] });
      assert.equal(answer.status, 200, written);
      await proxy.close();
    }
    proxy = await startProxy(CREDENTIALS);
  });

  for (const [what, proxyAuthorization] of [
    ['no credentials', undefined],
    ['wrong credentials', 'Basic of-another'],
  ] as const) {
    it(`fails at a proxy that gets ${what}, with an error that explains what to do`, async () => {
      for (const address of [secureAddress(), plainAddress()]) {
        const settings = { proxy: proxy.address, certificates: [authority] };
        const answer = await ask(address, { ...settings, ...(proxyAuthorization && { proxyAuthorization }) });
        assert.equal(answer.status, 502);
        assert.match(
          answer.body.toString(),
          /proxy requires other credentials; .*http:\/\/user:password@host:port.*proxyAuthorization/,
        );
      }
      assert.equal(secure.requests.length + plain.requests.length, 0);
    });
  }

  it('fails at a proxy that is down, with an error that reports it', async () => {
    const { address } = proxy;
    await proxy.close();
    for (const upstream of [secureAddress(), plainAddress()]) {
      const answer = await ask(upstream, { proxy: address });
      assert.equal(answer.status, 502);
      assert.match(answer.body.toString(), /nothing listens at that address/);
    }
    proxy = await startProxy(CREDENTIALS);
  });

  it('uses a proxy whose address is only a host and a port', async () => {
    const settings = { ...throughProxy(), proxy: new URL(proxy.address).host };
    assert.equal((await ask(secureAddress(), settings)).status, 200);
    assert.equal(proxy.requests.length, 1);
  });

  for (const address of ['http://user:secret@host:99999', 'socks5://user:secret@host:1', 'http://']) {
    it(`is rejected if the proxy's address is unusable, with an error that omits its password: ${address}`, () => {
      const settings = { baseAddress: secureAddress(), serviceKey: SERVICE_KEY, network: { proxy: address } };
      assert.throws(
        () => createHosted(settings),
        (error: Error) => {
          return error.message.startsWith('The proxy address') && !error.message.includes('secret');
        },
      );
    });
  }

  it('fails at a certificate of an unknown authority, with an error that reports it', async () => {
    const answer = await ask(secureAddress(), { proxy: proxy.address, proxyAuthorization: CREDENTIALS });
    assert.equal(answer.status, 502);
    assert.match(answer.body.toString(), /authority that is not trusted on this machine; .*NODE_EXTRA_CA_CERTS/);
    assert.equal(secure.requests.length, 0);
  });

  it('fails at a certificate for another name', async () => {
    const answer = await ask(secure.baseAddress, { certificates: [authority] });
    assert.match(answer.body.toString(), /certificate is for another name/);
  });

  it('accepts any certificate if the settings allow it', async () => {
    assert.equal((await ask(secure.baseAddress, { strictSSL: false })).status, 200);
  });
});
