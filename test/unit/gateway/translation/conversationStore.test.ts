import assert from 'node:assert/strict';
import type { ChatResponse } from '../../../../src/formats/conversation.ts';
import { responseId } from '../../../../src/formats/responses/index.ts';
import { ConversationStore, type StoredConversation } from '../../../../src/gateway/translation/conversationStore.ts';

const NOTHING: StoredConversation = { system: [], messages: [], inputTools: { tools: [], hostedTools: [] } };

function answer(id: string): ChatResponse {
  return { id, model: 'm', parts: [], finishReason: 'stop' };
}

describe('the store of conversations', () => {
  const LIMITS = { entries: 1_000, bytes: 100 };

  /** @returns whether each of the answers is known. */
  const known = (store: ConversationStore, ids: readonly string[]) =>
    ids.map((id) => store.find('key', responseId(id)) !== undefined);

  const goOn = (store: ConversationStore, from: string, id: string, bytes: number) => {
    const before = store.find('key', responseId(from));
    assert.ok(before !== undefined, from);
    store.keep('key', before, answer(id), bytes);
  };

  it('forgets the oldest where all together hold too much', () => {
    const store = new ConversationStore(LIMITS);
    for (const id of ['a', 'b', 'c']) store.keep('key', NOTHING, answer(id), 40);
    assert.deepEqual(known(store, ['a', 'b', 'c']), [false, true, true]);
  });

  it('counts what a conversation goes on from once, as long as anybody goes on from it', () => {
    const store = new ConversationStore(LIMITS);
    store.keep('key', NOTHING, answer('a'), 60);
    goOn(store, 'a', 'a2', 10);
    goOn(store, 'a2', 'a3', 10);
    assert.deepEqual(known(store, ['a', 'a2', 'a3']), [true, true, true]);
    // Forgetting the first two frees nothing, since the third goes on from them.
    store.keep('key', NOTHING, answer('b'), 30);
    assert.deepEqual(known(store, ['a', 'a2', 'a3', 'b']), [false, false, false, true]);
  });

  it('does not keep a conversation that alone is too much, however small its steps are', () => {
    const store = new ConversationStore(LIMITS);
    store.keep('key', NOTHING, answer('0'), 20);
    for (let step = 1; step < 5; step += 1) goOn(store, `${step - 1}`, `${step}`, 20);
    goOn(store, '4', '5', 20);
    assert.deepEqual(known(store, ['0', '1', '2', '3', '4', '5']), [false, false, false, false, false, false]);
    store.keep('key', NOTHING, answer('b'), 100);
    assert.deepEqual(known(store, ['b']), [true]);
  });
});
