import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type Server } from 'node:http';
import { connect } from 'node:net';
import * as vscode from 'vscode';
import type { Services } from '../../src/editor/services.ts';
import { eventually } from '../support/eventually.ts';
import { ModelServer } from '../support/modelServer/modelServer.ts';
import { listenOn, portOf } from '../support/ports.ts';
import { firstKey, inSandbox } from './extension.ts';

const NAME = 'models.invalid';

describe('the gateway’s network connections', () => {
  let services: Services;
  let server: ModelServer;
  let proxy: Server;
  /** The requests that the proxy received, with their credentials. */
  const asked: { readonly target: string | undefined; readonly authorization: string | undefined }[] = [];

  before(async () => {
    services = await inSandbox();
    server = await ModelServer.start(({ format }) => (format ? { parts: [{ text: 'Behind the proxy' }] } : undefined));
    proxy = await listenOn(0);
    proxy.on('connect', ({ url, headers }, socket) => {
      asked.push({ target: url, authorization: headers['proxy-authorization'] });
      const onward = connect(server.port, '127.0.0.1').on('error', () => socket.destroy());
      socket.on('error', () => onward.destroy());
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    proxy.on('request', (incoming, response) => {
      const { url = '', method, headers } = incoming;
      asked.push({ target: new URL(url).host, authorization: headers['proxy-authorization'] });
      const onward = request(new URL(new URL(url).pathname, server.baseUrl), { method, headers });
      onward.on('response', (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)));
      incoming.pipe(onward);
    });
  });
  after(async () => {
    await services.gateway.stop();
    await set('modelAccess.upstreams', undefined);
    for (const name of ['proxy', 'noProxy', 'proxyAuthorization']) await set(`http.${name}`, undefined);
    await server.close();
    proxy.closeAllConnections();
    proxy.close();
    await once(proxy, 'close');
  });

  const set = async (name: string, value: unknown) => {
    await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
  };
  const statusOf = async (): Promise<number> => {
    const { address } = await services.gateway.start(0);
    const { secret } = await firstKey(services);
    const body = JSON.stringify({ model: 'llama', messages: [{ role: 'user', content: 'Hello' }] });
    const headers = { 'x-api-key': secret, 'content-type': 'application/json' };
    const answer = await fetch(`${address}/chat/completions`, { method: 'POST', headers, body });
    await answer.text();
    return answer.status;
  };
  /** Settings reach the worker a moment after they are written. */
  const becomes = async (...statuses: readonly number[]): Promise<void> => {
    await eventually(`the status ${statuses.join(' or ')}`, async () => statuses.includes(await statusOf()));
  };

  it('follow the editor’s proxy, credentials, and exceptions while the gateway runs', async () => {
    const baseUrl = `http://${NAME}/api/v1`;
    await set('modelAccess.upstreams', [{ id: 'far', baseUrl, formats: ['chat-completions'], models: ['llama'] }]);
    // The host name does not resolve, and the sandbox, which is asked next, has no such model.
    await becomes(404);
    await set('http.proxyAuthorization', 'Basic Y2FuYXJ5');
    await set('http.proxy', `http://127.0.0.1:${portOf(proxy)}`);
    await becomes(200);
    assert.match(asked.at(-1)?.target ?? '', new RegExp(`^${NAME}`));
    assert.equal(asked.at(-1)?.authorization, 'Basic Y2FuYXJ5');
    await set('http.noProxy', [NAME]);
    // The sandbox is not asked again while it is known not to have the model.
    await becomes(404, 502);
  });
});
