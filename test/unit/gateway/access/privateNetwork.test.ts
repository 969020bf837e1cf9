/** From real processes and threads to a service behind a proxy with a password and a private certificate authority. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { NetworkSettings } from '../../../../src/gateway/upstreams/dispatcher.ts';
import type { HostMessage, WorkerMessage } from '../../../../src/gateway/worker/protocol.ts';
import { buildWorker, startWorker } from '../support/builtWorker.ts';
import { LOCAL_KEY, send } from '../support/client.ts';
import { closeAll, closeLater, SERVICE_KEY } from '../support/gateway.ts';
import { type ForwardProxy, startProxy } from '../support/proxy.ts';
import { answerAnyFormat, type ScriptedService, startService } from '../support/scriptedService.ts';
import { startServed } from '../support/served.ts';

const CREDENTIALS = `Basic ${Buffer.from('user:pass').toString('base64')}`;

function certificateFile(name: string): string {
  return fileURLToPath(new URL(`../support/certificates/${name}.pem`, import.meta.url));
}

describe('a service on a private network', () => {
  let service: ScriptedService;
  let proxy: ForwardProxy;
  let upstream: string;

  before(buildWorker);
  beforeEach(async () => {
    const [key, cert] = ['serviceKey', 'service'].map((name) => readFileSync(certificateFile(name), 'utf8'));
    service = await startService(answerAnyFormat, { tls: { key: key ?? '', cert: cert ?? '' } });
    closeLater(() => service.close());
    proxy = await startProxy(CREDENTIALS);
    closeLater(() => proxy.close());
    upstream = `https://service.test:${service.port}/api/v1`;
  });
  afterEach(closeAll);

  const serve = async (environment: NodeJS.ProcessEnv) => {
    const served = await startServed(['--upstream', `hosted:${upstream}`, '--key-env', 'THE_KEY'], {
      THE_KEY: LOCAL_KEY,
      MODEL_ACCESS_KEY: SERVICE_KEY,
      HTTPS_PROXY: proxy.address.replace('//', '//user:pass@'),
      ...environment,
    });
    closeLater(() => served.stop());
    return send({ port: served.port, path: '/v1/messages' });
  };

  const listen = async (network: NetworkSettings) => {
    const worker = startWorker();
    closeLater(() => worker.terminate());
    const message: HostMessage = {
      type: 'listen',
      port: 0,
      localKeys: [{ id: 'tests', name: 'tests', secret: LOCAL_KEY, createdAt: 0 }],
      upstream: { kind: 'hosted', baseAddress: upstream, serviceKey: SERVICE_KEY, network },
    };
    worker.postMessage(message);
    const [listening] = (await once(worker, 'message')) as [WorkerMessage];
    assert.ok(listening.type === 'listening');
    return send({ port: listening.port, path: '/v1/messages' });
  };

  const assertReached = () => {
    assert.deepEqual(proxy.requests, [{ target: `CONNECT service.test:${service.port}`, authorization: CREDENTIALS }]);
    assert.equal(service.requests[0]?.headers.authorization, `Bearer ${SERVICE_KEY}`);
    assert.equal(service.requests[0]?.headers['proxy-authorization'], undefined);
  };

  it('is reached by the gateway without an editor, configured by its environment', async () => {
    assert.equal((await serve({ NODE_EXTRA_CA_CERTS: certificateFile('authority') })).status, 200);
    assertReached();
  });

  it('is not trusted by that gateway without the CA certificate', async () => {
    const answer = await serve({});
    assert.equal(answer.status, 502);
    assert.match(answer.body.toString(), /not trusted on this machine; .*NODE_EXTRA_CA_CERTS/);
    assert.equal(service.requests.length, 0);
  });

  it("is reached by the editor's worker, configured by the settings", async () => {
    const certificates = [readFileSync(certificateFile('authority'), 'utf8')];
    const network = { proxy: proxy.address, proxyAuthorization: CREDENTIALS, certificates };
    assert.equal((await listen(network)).status, 200);
    assertReached();
  });

  it('is reached by the worker without certificate validation if strict SSL is off', async () => {
    const network = { proxy: proxy.address, proxyAuthorization: CREDENTIALS, strictSSL: false };
    assert.equal((await listen(network)).status, 200);
    assertReached();
  });

  it('is not reached by the worker with a wrong proxy password, and the error explains what to do', async () => {
    const answer = await listen({ proxy: proxy.address.replace('//', '//user:wrong@') });
    assert.equal(answer.status, 502);
    assert.match(answer.body.toString(), /requires other credentials; .*http\.proxyAuthorization/);
    assert.equal(service.requests.length, 0);
  });
});
