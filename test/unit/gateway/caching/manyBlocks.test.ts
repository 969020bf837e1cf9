import assert from 'node:assert/strict';
import { readBlocks } from '../../../../src/gateway/caching/blockReader.ts';
import { KnownConversations } from '../../../../src/gateway/caching/knownConversations.ts';
import { BlockHasher } from '../../../../src/gateway/caching/requestBlocks.ts';

const memory = () => ({ hasher: new BlockHasher(), known: new KnownConversations() });

describe('a request with too many blocks', () => {
  const message = { role: 'user', content: 'a' };
  const body = { tools: [{ name: 't' }], messages: Array.from({ length: 30_000 }, () => message) };

  it('is read up to a limit', () => {
    const { tools, messages } = readBlocks(Buffer.from(JSON.stringify(body)), memory());
    assert.equal(tools.length + messages.length, 20_000);
  });

  it('is read up to the same limit if they are parts of one message', () => {
    const content = Array.from({ length: 30_000 }, () => ({ type: 'text', text: 'a' }));
    const read = readBlocks(Buffer.from(JSON.stringify({ messages: [{ role: 'user', content }] })), memory());
    assert.equal(read.messages.length, 20_000);
  });
});

describe('a system prompt of more than half a megabyte', () => {
  it('is hashed with its dates and numbers', () => {
    const hasher = new BlockHasher();
    const hashed = (day: number, length: number) => hasher.maskedHash(Buffer.from(`${day} ${'a '.repeat(length)}`));
    assert.equal(hashed(1, 100), hashed(2, 100));
    assert.notEqual(hashed(1, 300_000), hashed(2, 300_000));
  });
});
