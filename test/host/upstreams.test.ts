import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Services } from '../../src/editor/services.ts';
import { eventually } from '../support/eventually.ts';
import { ModelServer } from '../support/modelServer/modelServer.ts';
import { firstKey, inSandbox } from './extension.ts';

const KEY = 'sk-upstream-canary';

describe('the upstreams in the settings', () => {
  let services: Services;
  let server: ModelServer;

  before(async () => {
    services = await inSandbox();
    server = await ModelServer.start(({ format }) =>
      format ? { parts: [{ text: 'From the model server' }] } : undefined,
    );
  });
  after(async () => {
    await services.gateway.stop();
    await set('upstreams', undefined);
    await set('gateway.aliases', undefined);
    await services.upstreamKeys.remove('local');
    await server.close();
  });

  const set = async (name: string, value: unknown) => {
    await vscode.workspace.getConfiguration('modelAccess').update(name, value, vscode.ConfigurationTarget.Global);
  };
  const upstream = (members: object = {}) => ({
    id: 'local',
    baseUrl: server.baseUrl,
    formats: ['chat-completions'],
    models: ['llama*'],
    ...members,
  });
  const asked = async (model: string): Promise<string> => {
    const { address } = await services.gateway.start(0);
    const { secret } = await firstKey(services);
    const body = JSON.stringify({ model, max_tokens: 50, messages: [{ role: 'user', content: 'echo: sandbox' }] });
    const headers = { 'x-api-key': secret, 'content-type': 'application/json' };
    return (await fetch(`${address}/messages`, { method: 'POST', headers, body })).text();
  };
  /** The last request to a model. The gateway also reads the list of models, for their prices. */
  const lastRequest = () => server.requests.findLast(({ format }) => format !== undefined);
  /** Settings reach the worker a moment after they are written. */
  const answered = async (model: string, pattern: RegExp): Promise<void> => {
    await eventually(`an answer like ${pattern}`, async () => pattern.test(await asked(model)));
  };

  it('answer on the open port as soon as they are set, and the sandbox answers other models', async () => {
    const { port } = await services.gateway.start(0);
    await answered('llama-small', /No model|model_not_found|not_found/);
    await set('upstreams', [upstream()]);
    await answered('llama-small', /From the model server/);
    await answered('familya-haiku-4.5', /sandbox/);
    const { state } = services.gateway;
    assert.equal(state.state === 'running' && state.port, port);
    await set('upstreams', []);
    await answered('llama-small', /not_found/);
  });

  it('are called with the key that the secret storage contains under their name', async () => {
    await services.upstreamKeys.store('local', KEY);
    await set('upstreams', [upstream({ secret: 'local' })]);
    await answered('llama-small', /From the model server/);
    const sent = () => lastRequest()?.headers.authorization;
    assert.equal(sent(), `Bearer ${KEY}`);
    await services.upstreamKeys.remove('local');
    await eventually('a request without the key', async () => {
      await asked('llama-small');
      return sent() === undefined;
    });
  });

  it('support aliases', async () => {
    await set('upstreams', [upstream()]);
    await set('gateway.aliases', { usual: 'local/llama-small' });
    await answered('usual', /From the model server/);
    assert.equal(lastRequest()?.body.model, 'llama-small');
  });

  it('answer even if another upstream is invalid', async () => {
    await set('upstreams', [{ id: 'broken' }, upstream()]);
    await answered('llama-small', /From the model server/);
    assert.match(services.settings.upstreams.problems.join(), /Upstream 1 \(broken\)/);
  });

  it('cannot be set by a workspace', async () => {
    const configuration = vscode.workspace.getConfiguration('modelAccess');
    for (const name of ['upstreams', 'gateway.aliases']) {
      await assert.rejects(
        async () => configuration.update(name, [], vscode.ConfigurationTarget.Workspace),
        /machine|Workspace/i,
      );
    }
  });
});
