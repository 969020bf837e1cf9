import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Services } from '../../src/editor/services.ts';
import { ApiKey } from '../../src/service/apiKey.ts';
import { eventually } from '../support/eventually.ts';
import { ModelServer } from '../support/modelServer/modelServer.ts';
import { activated, firstKey } from './extension.ts';

const KEY = 'key_host_test_ask_usage_0123456789';
const BODY = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'Hello' }] });

describe('the setting gateway.askUsage', () => {
  let services: Services;
  let server: ModelServer;

  before(async () => {
    services = await activated();
    server = await ModelServer.start(({ format }) => (format ? { parts: [{ text: 'Hello' }] } : undefined));
    const key = ApiKey.parse(KEY);
    assert.ok(key.ok);
    await services.keys.store(key.key);
    await services.settings.setSandboxEnabled(false);
    await services.settings.setBaseAddress(server.baseUrl);
    await services.connection.refresh();
  });
  after(async () => {
    await set(undefined);
    await services.gateway.stop();
    await services.keys.remove();
    await services.settings.setBaseAddress('');
    await services.connection.refresh();
    await server.close();
  });

  const set = async (value: boolean | undefined) => {
    const settings = vscode.workspace.getConfiguration('modelAccess');
    await settings.update('gateway.askUsage', value, vscode.ConfigurationTarget.Global);
  };
  /** Asks the gateway, and returns whether the service was asked for the usage. */
  const isAsked = async (): Promise<boolean> => {
    const { address } = await services.gateway.start(0);
    const { secret } = await firstKey(services);
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const answer = await fetch(`${address}/chat/completions`, { method: 'POST', headers, body: BODY });
    assert.equal(answer.status, 200, await answer.text());
    const sent = server.requests.findLast(({ path }) => path.endsWith('/chat/completions'));
    return sent?.text.includes('include_usage') === true;
  };

  it('takes effect on the open port immediately, when turned off and when turned on', async () => {
    assert.equal(await isAsked(), true);
    await set(false);
    await eventually('a request without the option', async () => !(await isAsked()));
    await set(true);
    await eventually('a request with the option', isAsked);
  });
});
