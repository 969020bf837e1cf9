/** Entry of the thread in which requests are searched for secrets, so that no stream waits for it. */
import { parentPort } from 'node:worker_threads';
import { findSecrets } from '../../secrets/secretFinder.ts';
import type { Numbered } from '../core/workerClient.ts';
import { requestText } from './requestText.ts';

if (parentPort === null) throw new Error('secretThread.ts runs in a worker thread.');
const port = parentPort;

port.on('message', async ({ id, content }: Numbered<Uint8Array>) => {
  const kinds = await findSecrets(requestText(content));
  port.postMessage({ id, content: kinds } satisfies Numbered<string[]>);
});
