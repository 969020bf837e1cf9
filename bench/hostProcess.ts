/**
 * An extension host with the gateway in its worker. The main thread starts the built worker as the extension does. On
 * request, it blocks repeatedly for 500 ms at a time. Arguments: the upstream's base address, a ledger.
 */
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { HostMessage, WorkerMessage } from '../src/gateway/worker/protocol.ts';

const BLOCKED_MS = 500;
const BREATH_MS = 20;
const KEY = 'key_bench';

const [baseAddress = '', ledger = ''] = process.argv.slice(2);
const worker = new Worker(new URL('../dist/gatewayWorker.js', import.meta.url), {
  resourceLimits: { maxYoungGenerationSizeMb: 3 },
});
let blocking = false;

function post(message: HostMessage): void {
  worker.postMessage(message);
}

async function block(): Promise<void> {
  while (blocking) {
    const until = performance.now() + BLOCKED_MS;
    while (performance.now() < until);
    await pause(BREATH_MS);
  }
}

worker.on('message', (message: WorkerMessage) => {
  if (message.type === 'listening') console.log(JSON.stringify({ address: message.address, key: KEY }));
  else if (message.type === 'failed' || message.type === 'log') console.error(message.message);
});
createInterface(process.stdin).on('line', (line) => {
  blocking = line === 'block';
  if (blocking) void block();
});

post({
  type: 'listen',
  port: 0,
  localKeys: [{ id: 'bench', name: 'bench', secret: KEY, createdAt: Date.now() }],
  upstream: { kind: 'hosted', baseAddress, serviceKey: 'key_service' },
  ledger,
});
