import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ListenError } from '../../src/editor/worker/gatewayListener.ts';
import { GatewayWorker } from '../../src/editor/worker/gatewayWorker.ts';
import { activated } from './extension.ts';

/** A thread that exits when it is asked to close, or to listen on port 0. */
const ENDING_THREAD = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', ({ type, port, number }) => {
    if (type === 'close' || port === 0) process.exit(3);
    parentPort.postMessage({ type: 'listening', address: 'http://127.0.0.1:' + port, port, owner: 'self' });
    parentPort.postMessage({ type: 'ran', number });
  });
`;
const COMMAND = { localKeys: [], upstream: { kind: 'sandbox' } } as const;

describe('a gateway worker that exits unexpectedly', () => {
  let folder: string;
  let worker: GatewayWorker;

  beforeEach(async () => {
    const { log } = await activated();
    folder = await mkdtemp(join(tmpdir(), 'model-access-'));
    await mkdir(join(folder, 'dist'));
    await writeFile(join(folder, 'dist', 'gatewayWorker.js'), ENDING_THREAD);
    worker = new GatewayWorker(vscode.Uri.file(folder), vscode.Uri.file(folder), log);
  });
  afterEach(async () => {
    worker.dispose();
    await rm(folder, { recursive: true });
  });

  function lost(): Promise<void> {
    return new Promise((resolve) => {
      const subscription = worker.onDidExit(() => {
        subscription.dispose();
        resolve();
      });
    });
  }

  it('does not block a pending close of the gateway', async () => {
    await worker.listener.listen({ ...COMMAND, port: 1 });
    const loss = lost();
    await Promise.all([worker.listener.close(), loss]);
    assert.equal(worker.isRunning, false);
    await worker.listener.close();
  });

  it('reports the reason to a pending start of the gateway', async () => {
    const loss = lost();
    await assert.rejects(
      worker.listener.listen({ ...COMMAND, port: 0 }),
      (error) => error instanceof ListenError && /code 3/.test(error.message),
    );
    await loss;
  });

  it('is replaced by a new worker on the next request', async () => {
    const loss = lost();
    await assert.rejects(worker.listener.listen({ ...COMMAND, port: 0 }));
    await loss;
    const { port } = await worker.listener.listen({ ...COMMAND, port: 2 });
    assert.equal(port, 2);
    const second = lost();
    await worker.listener.close();
    await second;
  });
});
