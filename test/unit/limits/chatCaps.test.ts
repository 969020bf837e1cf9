import assert from 'node:assert/strict';
import { ChatCaps } from '../../../src/limits/chatCaps.ts';

describe('the spending cap of a chat', () => {
  const look = (caps: ChatCaps, spent: number, cost = 0, id = 'chat') => caps.check({ id, spent, cost, cap: 5 }).status;

  it('is exceeded by past spending or by the cost of the next request', () => {
    const caps = new ChatCaps();
    assert.equal(look(caps, 3.9, 1), 'below');
    assert.equal(look(caps, 3.9, 1.2), 'passes');
    assert.equal(look(caps, 5), 'passes');
  });

  it('warns once from 80 percent, and again after it was raised', () => {
    const caps = new ChatCaps();
    assert.deepEqual(
      [look(caps, 4), look(caps, 4.1), look(caps, 4.1, 0, 'other')],
      ['nearlySpent', 'below', 'nearlySpent'],
    );
    caps.raise('chat', 10);
    assert.deepEqual([look(caps, 6), look(caps, 8), look(caps, 9)], ['below', 'nearlySpent', 'below']);
    assert.equal(caps.check({ id: 'chat', spent: 10, cost: 0, cap: 5 }).cap, 10);
  });
});
