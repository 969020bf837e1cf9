import assert from 'node:assert/strict';
import { GatewayController, type GatewayServices } from '../../../../src/editor/gateway/gatewayController.ts';
import { GatewayListener } from '../../../../src/editor/worker/gatewayListener.ts';
import type { HostMessage, ListenerCommand } from '../../../../src/gateway/worker/protocol.ts';
import { EventEmitter } from '../../../support/editorApi/vscode.ts';

const never = () => ({ dispose: () => undefined });
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A window whose worker runs a command when the test says so. */
function scriptedWindow(read: () => Promise<string> = async () => 'service') {
  const sent: HostMessage[] = [];
  const pending: (ListenerCommand & { readonly number?: number })[] = [];
  const upstreamChanged = new EventEmitter<void>();
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const send = (message: HostMessage) => {
    sent.push(message);
    if (message.type === 'listen' || message.type === 'close') pending.push(message);
  };
  const listener = new GatewayListener({ isRunning: true, send }, log as never);
  const services = {
    worker: { listener, send, onDidReceiveKeys: never, onDidExit: never },
    localKeys: { onDidChange: never, read: async () => ({ keys: [] }) },
    ledger: 'ledger',
    upstream: { onDidChange: upstreamChanged.event, isAvailable: true, read },
    presence: { onDidAppear: never, exists: true, files: {} },
    settings: { gatewayPort: 8787, secretPolicy: 'off', upstreams: { upstreams: [] }, onDidChange: never },
    secretValues: { onDidChange: never },
    log,
  };
  const controller = new GatewayController(services as unknown as GatewayServices);
  /** Runs the next command of the worker. */
  const run = async () => {
    await settled();
    const command = pending.shift() ?? assert.fail('The worker has nothing to do.');
    if (command.type === 'listen') listener.receive(LISTENING);
    else listener.receive({ type: 'closed' });
    listener.receive({ type: 'ran', number: command.number ?? 0 });
    await settled();
  };
  const types = () => sent.map(({ type }) => type);
  return { controller, listener, sent, types, run, changeUpstream: () => upstreamChanged.fire() };
}

const LISTENING = { type: 'listening', address: 'http://127.0.0.1:8787/api/v1', port: 8787, owner: 'self' } as const;

describe('the gateway of a window', () => {
  it('starts once if it is started twice at the same time', async () => {
    const { controller, types, run } = scriptedWindow();
    const started = [controller.start(), controller.start()];
    await run();
    const ports = (await Promise.all(started)).map(({ port }) => port);
    assert.deepEqual([ports, types(), controller.state.state], [[8787, 8787], ['listen'], 'running']);
  });

  it('is off after a stop during its start', async () => {
    const { controller, types, run } = scriptedWindow();
    const started = controller.start();
    const stopped = controller.stop();
    await run();
    await run();
    await Promise.all([started, stopped]);
    assert.deepEqual([types(), controller.state.state], [['listen', 'close'], 'off']);
  });

  it('stops once if it is stopped twice at the same time', async () => {
    const { controller, types, run } = scriptedWindow();
    const started = controller.start();
    await run();
    await started;
    const stopped = [controller.stop(), controller.stop()];
    await run();
    await Promise.all(stopped);
    assert.deepEqual(types(), ['listen', 'close']);
  });

  it('starts again right after another window has stopped it while this one did', async () => {
    const { controller, listener, run } = scriptedWindow();
    const first = controller.start();
    await run();
    await first;
    const stopped = controller.stop();
    const started = controller.start();
    await settled();
    listener.receive({ type: 'closed' });
    await run();
    await stopped;
    await run();
    assert.equal((await started).port, 8787);
  });

  it('sends the upstreams of the last change last, whichever was read faster', async () => {
    const [slow, fast] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const reads = [Promise.resolve('first'), slow.promise, fast.promise];
    const { controller, sent, run, changeUpstream } = scriptedWindow(() => reads.shift() ?? assert.fail());
    const started = controller.start();
    await run();
    await started;
    changeUpstream();
    changeUpstream();
    fast.resolve('new key');
    await settled();
    slow.resolve('old key');
    await settled();
    const upstreams = sent.flatMap((message) => (message.type === 'change' ? [message.settings.upstream] : []));
    assert.deepEqual(upstreams, ['old key', 'new key']);
  });

  it('sends a change that is made during its start after the start', async () => {
    const { controller, types, run, changeUpstream } = scriptedWindow();
    const started = controller.start();
    changeUpstream();
    await run();
    await started;
    await settled();
    assert.deepEqual(types(), ['listen', 'change']);
  });
});
