import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import * as vscode from 'vscode';
import type { GatewayState } from '../../src/editor/gateway/gatewayController.ts';
import type { Services } from '../../src/editor/services.ts';
import { TrafficSession } from '../../src/editor/traffic/trafficSession.ts';
import type { RunningCall } from '../../src/gateway/traffic/protocol.ts';
import type { WorkerMessage } from '../../src/gateway/worker/protocol.ts';
import type { TrafficHostMessage as TrafficMessage } from '../../src/pages/traffic/protocol.ts';
import { eventually } from '../support/eventually.ts';
import { EXTENSION_ID, firstKey, inSandbox } from './extension.ts';

describe('a gateway that runs in another window', () => {
  let services: Services;
  /** The worker of the other window. */
  let other: Worker;

  before(async () => {
    services = await inSandbox();
  });
  beforeEach(() => {
    const extension = vscode.extensions.getExtension(EXTENSION_ID);
    assert.ok(extension);
    other = new Worker(vscode.Uri.joinPath(extension.extensionUri, 'dist', 'gatewayWorker.js').fsPath);
  });
  afterEach(async () => {
    await other.terminate();
    await services.gateway.stop();
  });

  const reached = (isReached: (state: GatewayState) => boolean): Promise<void> => {
    const { gateway } = services;
    return new Promise((resolve) => {
      const subscription = gateway.onDidChange((state) => look(state));
      const look = (state: GatewayState) => {
        if (!isReached(state)) return;
        subscription.dispose();
        resolve();
      };
      look(gateway.state);
    });
  };
  const received = async <Type extends WorkerMessage['type']>(type: Type) => {
    for (;;) {
      const [message] = (await once(other, 'message')) as [WorkerMessage];
      if (message.type === type) return message as Extract<WorkerMessage, { type: Type }>;
    }
  };
  const startOther = async () => {
    const { keys: localKeys, revoked: revokedKeys } = await services.localKeys.read();
    const listening = received('listening');
    const { files } = services.presence;
    const upstream = { kind: 'sandbox' };
    other.postMessage({ type: 'listen', port: 0, localKeys, revokedKeys, upstream, shared: files });
    return listening;
  };

  it('is joined automatically and taken over with the same port and key when that window closes', async () => {
    const { port, address } = await startOther();
    await reached((state) => state.state === 'running' && state.owner === 'other');
    assert.deepEqual(services.gateway.state, { state: 'running', address, port, owner: 'other' });
    await other.terminate();
    await reached((state) => state.state === 'running' && state.owner === 'self');
    const headers = { 'x-api-key': (await firstKey(services)).secret };
    assert.equal((await fetch(`${address}/models`, { headers })).status, 200);
  });

  it('is found when the gateway is started in this window', async () => {
    const { address } = await startOther();
    assert.equal((await services.gateway.start()).address, address);
  });

  it('immediately accepts a key rotated in this window', async () => {
    const { address } = await startOther();
    await services.gateway.start();
    const changed = received('localKeys');
    await services.localKeys.rotate((await firstKey(services)).id);
    const [key] = (await changed).localKeys;
    const { secret } = await firstKey(services);
    assert.equal(key?.secret, secret);
    assert.equal((await fetch(`${address}/models`, { headers: { 'x-api-key': secret } })).status, 200);
  });

  it('shares its new key with this window', async () => {
    await startOther();
    await services.gateway.start();
    const secret = 'key_made_in_another_window';
    const key = { ...(await firstKey(services)), secret, changedAt: { secret: Date.now() + 1 } };
    other.postMessage({ type: 'change', settings: { localKeys: [key] } });
    await eventually('the key of the other window', async () => (await firstKey(services)).secret === key.secret);
  });

  it('stops for all windows when stopped from either one', async () => {
    const { address } = await startOther();
    await services.gateway.start();
    const closed = received('closed');
    await services.gateway.stop();
    await closed;
    await assert.rejects(fetch(`${address}/models`));
    await startOther();
    await reached((state) => state.state === 'running');
    other.postMessage({ type: 'close' });
    await reached((state) => state.state === 'off');
  });

  it('reports its exchanges to this window', async () => {
    const { address } = await startOther();
    await services.gateway.start();
    const record = new Promise<string | undefined>((resolve) => {
      const subscription = services.worker.onDidExchange(({ endpoint }) => {
        subscription.dispose();
        resolve(endpoint);
      });
    });
    const headers = { 'x-api-key': (await firstKey(services)).secret };
    await (await fetch(`${address}/models`, { headers })).text();
    assert.equal(await record, '/models');
  });

  it('lists a running call of this window and cancels it', async () => {
    await services.models.refresh();
    await services.session.startNew();
    await services.session.parameters.chooseModel('familya-haiku-4.5+stall');
    await startOther();
    await services.gateway.start();
    other.postMessage({ type: 'watchTraffic', isOn: true });
    const sent = services.session.chat.turns.send('echo: stalled');
    let call: RunningCall | undefined;
    while (call === undefined) [call] = (await received('running')).calls;
    assert.deepEqual([call.source, call.model], ['chatPanel', 'familya-haiku-4.5+stall']);
    other.postMessage({ type: 'askTraffic', requestId: 1, question: { kind: 'cancel', id: call.id } });
    await sent;
    const answer = services.session.state.turns.at(-1);
    assert.equal(answer?.role === 'assistant' && answer.status, 'stopped');
    await services.settings.set('chat.model', '');
  });

  it('shows its running calls in the list of this window', async () => {
    await startOther();
    await services.gateway.start();
    const shown: TrafficMessage[] = [];
    const session = new TrafficSession(services, (message) => shown.push(message));
    services.worker.watchTraffic(true, session);
    try {
      await session.receive({ type: 'ready' });
      const call = { id: 'elsewhere', at: Date.now() - 5_000, source: 'command', model: 'familyc-5.4', durationMs: 0 };
      other.postMessage({ type: 'reportCalls', calls: [call] });
      const listed = () => shown.findLast((message) => message.type === 'live')?.rows.find(({ id }) => id === call.id);
      await eventually('the call of the other window', async () => listed() !== undefined);
      const row = listed();
      assert.deepEqual([row?.source, row?.model, row?.end], ['command', 'familyc-5.4', undefined]);
      assert.ok((row?.durationMs ?? 0) >= 5_000);
      other.postMessage({ type: 'reportCalls', calls: [] });
      await eventually('its end', async () => listed() === undefined);
    } finally {
      services.worker.watchTraffic(false, session);
      session.dispose();
    }
  });
});
