import assert from 'node:assert/strict';
import type { ChatResponse } from '../../../../src/formats/answer.ts';
import { outputItems, responseId } from '../../../../src/formats/responses/index.ts';
import type { ContinuableConversation } from '../../../../src/gateway/core/responseStore.ts';
import { MemoryResponseStore } from '../../../../src/gateway/translation/memoryResponseStore.ts';

const NOTHING: ContinuableConversation = { system: [], messages: [], inputTools: { tools: [], hostedTools: [] } };

function answer(id: string): ChatResponse {
  return { id, model: 'm', parts: [], finishReason: 'stop' };
}

describe('the in-memory response store', () => {
  const LIMITS = { entries: 1_000, bytes: 100 };

  const find = (store: MemoryResponseStore, id: string) =>
    store.find('key', { previousResponseId: responseId(id), itemIds: [] });

  /** @returns whether each of the answers is known. */
  const known = (store: MemoryResponseStore, ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => (await find(store, id)).conversation !== undefined));

  const begin = (store: MemoryResponseStore, id: string, bytes: number) =>
    store.keep('key', { conversation: NOTHING, answer: answer(id), bytes });

  const goOn = async (store: MemoryResponseStore, from: string, id: string, bytes: number) => {
    const { conversation: previous } = await find(store, from);
    assert.ok(previous !== undefined, from);
    store.keep('key', { previous, conversation: { ...previous }, answer: answer(id), bytes });
  };

  it('drops the oldest responses if the total is too large', async () => {
    const store = new MemoryResponseStore(LIMITS);
    for (const id of ['a', 'b', 'c']) begin(store, id, 40);
    assert.deepEqual(await known(store, ['a', 'b', 'c']), [false, true, true]);
  });

  it('counts a continued conversation once, as long as another one continues it', async () => {
    const store = new MemoryResponseStore(LIMITS);
    begin(store, 'a', 60);
    await goOn(store, 'a', 'a2', 10);
    await goOn(store, 'a2', 'a3', 10);
    assert.deepEqual(await known(store, ['a', 'a2', 'a3']), [true, true, true]);
    // Removing the first two frees nothing, because the third one continues them.
    begin(store, 'b', 30);
    assert.deepEqual(await known(store, ['a', 'a2', 'a3', 'b']), [false, false, false, true]);
  });

  it('does not keep a conversation that is too large by itself, however small its steps are', async () => {
    const store = new MemoryResponseStore(LIMITS);
    begin(store, '0', 20);
    for (let step = 1; step < 5; step += 1) await goOn(store, `${step - 1}`, `${step}`, 20);
    await goOn(store, '4', '5', 20);
    assert.deepEqual(await known(store, ['0', '1', '2', '3', '4', '5']), [false, false, false, false, false, false]);
    begin(store, 'b', 100);
    assert.deepEqual(await known(store, ['b']), [true]);
  });

  it('counts a dropped conversation as long as a request continues it', async () => {
    const store = new MemoryResponseStore(LIMITS);
    begin(store, 'a', 60);
    const { conversation: previous } = await find(store, 'a');
    assert.ok(previous);
    begin(store, 'b', 60);
    assert.deepEqual(await known(store, ['a', 'b']), [false, true]);
    store.keep('key', { previous, conversation: { ...previous }, answer: answer('a2'), bytes: 30 });
    assert.deepEqual(await known(store, ['b', 'a2']), [false, true]);
  });

  it('returns the items of an answer by their ids, only to the local key that received it', async () => {
    const store = new MemoryResponseStore();
    const parts = [{ type: 'text' as const, text: 'hello' }];
    store.keep('key', { conversation: NOTHING, answer: { ...answer('a'), parts }, bytes: 10 });
    const [item] = outputItems({ ...answer('a'), parts });
    const itemIds = [String(item?.id), 'unknown'];
    const found = await store.find('key', { itemIds });
    assert.deepEqual([...found.items], [[itemIds[0], item]]);
    assert.equal((await store.find('another', { itemIds })).items.size, 0);
  });
});
