/** Entry point of the thread that searches requests for secrets, so that the search does not delay any stream. */
import { parentPort } from 'node:worker_threads';
import type { Numbered } from '../../rpc/workerClient.ts';
import { findSecrets } from '../../secrets/secretFinder.ts';
import { requestText } from './requestText.ts';

if (parentPort === null) throw new Error('secretThread.ts runs in a worker thread.');
const port = parentPort;

port.on('message', async ({ id, content }: Numbered<Uint8Array>) => {
  const kinds = await findSecrets(requestText(content));
  port.postMessage({ id, content: kinds } satisfies Numbered<string[]>);
});
