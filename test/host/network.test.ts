import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Services } from '../../src/editor/services.ts';
import { parseKey } from '../../src/service/pastedKey.ts';
import { type ForwardProxy, startProxy } from '../unit/gateway/support/proxy.ts';
import { type ScriptedService, startService } from '../unit/gateway/support/scriptedService.ts';
import { activated, EXTENSION_ID, firstKey } from './extension.ts';

const KEY = 'key_host_network_0123456789abcdef';
const CREDENTIALS = `Basic ${Buffer.from('user:pass').toString('base64')}`;
const MODELS = '{"object":"list","data":[{"id":"familya-haiku-4.5","object":"model"}]}';

/** The extension's client uses the host's own `fetch`, and the gateway's worker gets the same settings. */
describe('the editor’s proxy and certificates', () => {
  let services: Services;
  let service: ScriptedService;
  let proxy: ForwardProxy;

  before(async function () {
    services = await activated();
    // If the runner cannot make the editor trust the certificate authority, the test is meaningless.
    if (process.env.SSL_CERT_FILE === undefined) this.skip();
    await services.settings.set('sandbox.enabled', false);
  });
  beforeEach(async () => {
    const folder = vscode.extensions.getExtension(EXTENSION_ID)?.extensionPath ?? '';
    const certificates = join(folder, 'test', 'unit', 'gateway', 'support', 'certificates');
    const [serviceKey, certificate] = await Promise.all(
      ['serviceKey.pem', 'service.pem'].map((name) => readFile(join(certificates, name), 'utf8')),
    );
    const answer = { key: serviceKey ?? '', cert: certificate ?? '' };
    service = await startService(
      (response) => void response.setHeader('content-type', 'application/json').end(MODELS),
      {
        tls: answer,
      },
    );
    proxy = await startProxy(CREDENTIALS);
    const address = `https://service.test:${service.port}/api/v1`;
    const key = parseKey(KEY);
    assert.ok(key.ok);
    await services.keys.store(key.key, address);
    await services.settings.set('baseAddress', address);
    await services.connection.refresh();
  });
  afterEach(async () => {
    await services.gateway.stop();
    await configure('proxy', undefined);
    await configure('proxyStrictSSL', undefined);
    await proxy.close();
    await service.close();
  });
  after(async () => {
    await services.settings.set('baseAddress', '');
    await services.keys.remove();
  });

  const proxyWith = (credentials: string) => proxy.address.replace('//', `//${credentials}@`);

  it('connect the client through the proxy to a service with a private certificate authority', async () => {
    await configure('proxy', proxyWith('user:pass'));
    assert.deepEqual(await modelsOf(services), ['familya-haiku-4.5']);
    assert.deepEqual(proxy.requests.at(-1)?.target, `CONNECT service.test:${service.port}`);
    assert.equal(service.requests[0]?.headers.authorization, `Bearer ${KEY}`);
  });

  it('report an error if the proxy rejects the password', async () => {
    await configure('proxy', proxyWith('user:wrong'));
    await assert.rejects(modelsOf(services), /The proxy requires other credentials.*http\.proxy/);
    assert.equal(service.requests.length, 0);
  });

  it('connect the gateway through the same proxy', async () => {
    await configure('proxy', proxyWith('user:pass'));
    const { address } = await services.gateway.start(0);
    const { secret } = await firstKey(services);
    const answer = await fetch(`${address}/models`, { headers: { authorization: `Bearer ${secret}` } });
    assert.equal(answer.status, 200, await answer.text());
    assert.ok(proxy.requests.some(({ target }) => target === `CONNECT service.test:${service.port}`));
  });
});

async function configure(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('http').update(name, value, vscode.ConfigurationTarget.Global);
}

async function modelsOf({ connection }: Services): Promise<string[]> {
  const { current } = connection;
  assert.ok(current.kind === 'hosted');
  const catalog = await current.client.models();
  return catalog.models.map(({ id }) => id);
}
