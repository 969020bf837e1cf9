import assert from 'node:assert/strict';
import { WorkerClient } from '../../../src/rpc/workerClient.ts';

describe('a thread with a limit for its answers', () => {
  const newClient = () =>
    new WorkerClient<string, string>({ beside: import.meta.url, entry: 'slowThread', name: 'tests', maxMs: 500 });

  it('answers if only its start takes longer', async () => {
    const client = newClient();
    assert.deepEqual(await Promise.all([client.ask('one'), client.ask('two')]), ['one', 'two']);
    await client.close();
  });

  it('ends if an answer takes longer, and starts again for the next question', async () => {
    const client = newClient();
    const answers = await Promise.allSettled([client.ask('spin'), client.ask('behind it')]);
    for (const answer of answers)
      assert.match(String((answer as PromiseRejectedResult).reason), /took longer than 500 ms/);
    assert.equal(await client.ask('again'), 'again');
    await client.close();
  });
});
