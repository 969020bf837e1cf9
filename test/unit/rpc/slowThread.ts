/** A thread that takes a second to load, and never answers the question `spin`. */
import { parentPort } from 'node:worker_threads';
import type { Numbered } from '../../../src/rpc/workerClient.ts';

const LOADING_MS = 1_000;

Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOADING_MS);
parentPort?.on('message', ({ id, content }: Numbered<string>) => {
  if (content === 'spin') for (;;);
  parentPort?.postMessage({ id, content });
});
parentPort?.postMessage({ id: 0 });
