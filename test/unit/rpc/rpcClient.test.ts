import assert from 'node:assert/strict';
import { RpcClient } from '../../../src/rpc/rpcClient.ts';

describe('an RPC client over a message channel', () => {
  let sent: { id: number; request: string }[];
  let client: RpcClient<string, string>;

  beforeEach(() => {
    sent = [];
    client = new RpcClient<string, string>({
      send: (id, request) => void sent.push({ id, request }),
      isLast: (reply) => reply !== 'more',
    });
  });

  function idOf(request: string): number {
    const message = sent.find((one) => one.request === request);
    assert.ok(message);
    return message.id;
  }

  it('assigns each reply to its own request, in any order', async () => {
    const [first, second] = [client.call('first'), client.call('second')];
    client.receive(idOf('second'), 'two');
    client.receive(idOf('first'), 'one');
    assert.deepEqual(await Promise.all([first, second]), ['one', 'two']);
  });

  it('returns all replies of a stream up to the last one', () => {
    const replies: string[] = [];
    const id = client.stream('count', (reply) => replies.push(reply));
    for (const reply of ['more', 'more', 'end', 'late']) client.receive(id, reply);
    assert.deepEqual(replies, ['more', 'more', 'end']);
    assert.equal(client.isIdle, true);
  });

  it('ignores replies to a canceled request', () => {
    const id = client.stream('count', () => assert.fail('It was cancelled.'));
    assert.equal(client.cancel(id), true);
    client.receive(id, 'more');
    assert.equal(client.cancel(id), false);
  });

  it('rejects all pending requests when the other side exits', async () => {
    const failures: string[] = [];
    const call = client.call('call');
    client.stream('count', assert.fail, ({ message }) => failures.push(message));
    client.fail(new Error('It has ended.'));
    await assert.rejects(call, /It has ended/);
    assert.deepEqual(failures, ['It has ended.']);
    assert.equal(client.isIdle, true);
  });

  it('drops a request that cannot be sent', async () => {
    const broken = new RpcClient<string, string>({
      send: () => {
        throw new Error('The thread does not start.');
      },
    });
    await assert.rejects(broken.call('first'), /does not start/);
    assert.equal(broken.isIdle, true);
  });
});
