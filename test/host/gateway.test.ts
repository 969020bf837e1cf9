import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Services } from '../../src/editor/services.ts';
import { eventually } from '../support/eventually.ts';
import { firstKey, inSandbox } from './extension.ts';

describe('the gateway in the editor', () => {
  let services: Services;

  before(async () => {
    services = await inSandbox();
  });
  afterEach(() => services.gateway.stop());

  async function started() {
    const { address } = await services.gateway.start(0);
    const { secret } = await firstKey(services);
    return { address, headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' } };
  }

  it('answers in all three formats with the local key', async () => {
    const { address, headers } = await started();
    const messages = [{ role: 'user', content: 'echo: hello' }];
    const model = 'familya-haiku-4.5';
    const bodies = {
      '/chat/completions': { model, messages },
      '/messages': { model, messages, max_tokens: 100 },
      '/responses': { model, input: 'echo: hello' },
    };
    for (const [path, body] of Object.entries(bodies)) {
      const answer = await fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      assert.equal(answer.status, 200, path);
      assert.match(await answer.text(), /hello/, path);
    }
  });

  it('rejects a key that it did not issue', async () => {
    const { address } = await started();
    const answer = await fetch(`${address}/models`, { headers: { authorization: 'Bearer key_somebody_elses' } });
    assert.equal(answer.status, 401);
  });

  it('reduces the balance that the status bar shows', async () => {
    const { address, headers } = await started();
    await services.balance.refresh();
    const before = services.balance.state.balance?.remaining;
    const body = JSON.stringify({ model: 'familya-opus-4.6', messages: [{ role: 'user', content: 'Hello' }] });
    await (await fetch(`${address}/chat/completions`, { method: 'POST', headers, body })).text();
    assert.ok(before !== undefined);
    // A request for the balance that the editor starts itself replaces this one.
    await eventually('a smaller balance', async () => {
      await services.balance.refresh();
      const after = services.balance.state.balance?.remaining;
      return after !== undefined && after < before;
    });
  });

  it('accepts a rotated local key immediately and rejects the previous one', async () => {
    const { address, headers } = await started();
    const { secret } = await services.localKeys.rotate((await firstKey(services)).id);
    assert.equal((await fetch(`${address}/models`, { headers })).status, 401);
    assert.equal((await fetch(`${address}/models`, { headers: { 'x-api-key': secret } })).status, 200);
  });

  it('accepts requests from a web page only while the settings list its origin', async () => {
    const { address, headers } = await started();
    const origin = 'https://page.example';
    const status = async () => (await fetch(`${address}/models`, { headers: { ...headers, origin } })).status;
    assert.equal(await status(), 403);
    const settings = vscode.workspace.getConfiguration('modelAccess.gateway');
    try {
      await settings.update('allowedOrigins', [origin], vscode.ConfigurationTarget.Global);
      await eventually('the page is let in', async () => (await status()) === 200);
    } finally {
      await settings.update('allowedOrigins', undefined, vscode.ConfigurationTarget.Global);
    }
    await eventually('the page is kept out', async () => (await status()) === 403);
  });

  it('frees its port when it is stopped', async () => {
    const { address } = await started();
    await vscode.commands.executeCommand('modelAccess.stopGateway');
    assert.equal(services.gateway.state.state, 'off');
    await assert.rejects(fetch(`${address}/models`));
  });

  it('reports which port is in use', async () => {
    const { address } = await started();
    const { port } = new URL(address);
    await services.gateway.stop();
    const { createServer } = await import('node:http');
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(Number(port), '127.0.0.1', resolve));
    try {
      await assert.rejects(services.gateway.start(Number(port)));
      const { state } = services.gateway;
      assert.equal(state.state === 'failed' && state.portInUse, Number(port));
    } finally {
      blocker.close();
    }
  });
});
