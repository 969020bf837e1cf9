import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { readRefusals } from '../../src/editor/modelsView/refusals.ts';
import type { Services } from '../../src/editor/services.ts';
import { ModelServer } from '../support/modelServer/modelServer.ts';
import { firstKey, inSandbox } from './extension.ts';

const REFUSAL = { error: { message: "Unsupported parameter: 'temperature'", type: 'invalid_request_error' } };
describe('what was refused, in the Models view', () => {
  let services: Services;
  let server: ModelServer;

  before(async () => {
    services = await inSandbox();
    server = await ModelServer.start(({ format, body }) => {
      if (format === undefined) return undefined;
      return body.temperature === undefined ? { parts: [{ text: 'Hi' }] } : { status: 400, body: REFUSAL };
    });
    const upstream = { id: 'picky', baseUrl: server.baseUrl, formats: ['chat-completions'], models: ['picky-*'] };
    await set([upstream]);
  });
  after(async () => {
    await services.gateway.stop();
    await set(undefined);
    await server.close();
  });

  const set = async (upstreams: readonly object[] | undefined) => {
    const target = vscode.ConfigurationTarget.Global;
    await vscode.workspace.getConfiguration('modelAccess').update('upstreams', upstreams, target);
  };

  it('is listed for the service and for upstreams, and can be forgotten', async () => {
    services.connection.open?.client.refusals.learn('refusing', [['temperature']]);
    const { address } = await services.gateway.start(0);
    const { secret } = await firstKey(services);
    const body = { model: 'picky-1', max_tokens: 50, temperature: 0.5, messages: [{ role: 'user', content: 'Hi' }] };
    const answer = await fetch(`${address}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 200, await answer.text());
    const ours = async () =>
      (await readRefusals(services)).filter(({ model }) => model === 'refusing' || model === 'picky-1');
    const listed = await ours();
    const shown = listed.map(({ model, upstream, changes }) => [model, upstream, changes]);
    assert.deepEqual(shown, [
      ['refusing', undefined, ['temperature']],
      ['picky-1', 'picky', ['temperature']],
    ]);
    for (const { id } of listed) await vscode.commands.executeCommand('modelAccess.forgetRefusal', { subject: id });
    assert.deepEqual(await ours(), []);
  });
});
