import assert from 'node:assert/strict';
import { nextDecrease, readQueues } from '../../../../src/editor/gatewayView/gatewayFacts.ts';
import type { QueueState } from '../../../../src/gateway/core/keyLimits.ts';
import type { IssuedKey } from '../../../../src/gateway/keys/issuedKey.ts';

const queue = (inMs?: number): QueueState => ({
  ...{ localKeyId: 'k', running: 0, requests: 1, tokens: 2, longestWaitMs: 0, refused: 0 },
  ...(inMs !== undefined && { frees: { inMs, tokens: 2 } }),
});
const key = (limits?: IssuedKey['limits']): IssuedKey => ({
  ...{ id: 'k', name: 'agent', secret: 'key_0123456789', createdAt: 0 },
  ...(limits && { limits }),
});

describe('the queues of keys for the gateway view', () => {
  const warnings: string[] = [];
  const read = (keys: readonly IssuedKey[], askTraffic: () => Promise<readonly QueueState[]>) =>
    readQueues(keys, {
      worker: { rpc: { askTraffic } },
      log: { warn: (text: string) => warnings.push(text) },
    } as never);

  beforeEach(() => {
    warnings.length = 0;
  });

  it('are read if a key has limits', async () => {
    const queues = [queue()];
    assert.equal(await read([key(), key({ parallel: 1 })], async () => queues), queues);
    assert.equal(await read([key()], async () => assert.fail('nothing is asked')), undefined);
    assert.deepEqual(warnings, []);
  });

  it('are unknown if they cannot be read, which is logged', async () => {
    const failing = () => Promise.reject(new Error('The worker is away.'));
    assert.equal(await read([key({ parallel: 1 })], failing), undefined);
    assert.deepEqual(warnings, ['The queues of local keys could not be read']);
  });

  it('are read again when the first of their figures decreases', () => {
    assert.equal(nextDecrease([queue(20_000), queue(), queue(4_000)]), 4_000);
    assert.deepEqual([nextDecrease([queue()]), nextDecrease([]), nextDecrease()], [undefined, undefined, undefined]);
  });
});
