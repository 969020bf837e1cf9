/**
 * Represents the extension host of one window: a process of its own that runs the gateway's worker, whose path is its
 * argument.
 */
import { Worker } from 'node:worker_threads';

const worker = new Worker(String(process.argv[2]));
worker.on('message', (message) => process.send?.(message));
worker.on('exit', () => process.exit());
process.on('message', (message) => worker.postMessage(message));
process.on('disconnect', () => process.exit());
