import assert from 'node:assert/strict';
import { DatabaseConnection } from '../../../../packages/gateway/src/postgres/connection.ts';
import { TeamResponseStore } from '../../../../packages/gateway/src/postgres/teamResponseStore.ts';
import type { ChatResponse } from '../../../../src/formats/answer.ts';
import type { Message } from '../../../../src/formats/conversation.ts';
import { outputItems, responseId } from '../../../../src/formats/responses/index.ts';
import type { ContinuableConversation } from '../../../../src/gateway/core/responseStore.ts';
import { closeAll, closeLater } from '../../gateway/support/gateway.ts';
import { createTeam, type Team } from './replicas.ts';

const NOTHING: ContinuableConversation = { system: [], messages: [], inputTools: { tools: [], hostedTools: [] } };

const said = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
const answer = (id: string, text: string): ChatResponse => ({
  ...{ id, model: 'm', finishReason: 'stop' },
  parts: [{ type: 'text', text }],
});

describe('the stored answers of the database', () => {
  let team: Team;

  beforeEach(async () => {
    team = await createTeam();
  });
  afterEach(closeAll);

  const openStore = () => {
    const connection = new DatabaseConnection({ address: team.address, name: 'tests' });
    const store = new TeamResponseStore(connection, (message) => assert.fail(message));
    closeLater(async () => {
      await store.close();
      await connection.close();
    });
    return store;
  };
  const find = (store: TeamResponseStore, id: string, key = 'key') =>
    store.find(key, { previousResponseId: responseId(id), itemIds: [] });

  it('can be continued on any replica, and again on another', async () => {
    const [first, second, third] = [openStore(), openStore(), openStore()];
    const begun = { ...NOTHING, messages: [said('One?')] };
    first.keep('key', { conversation: begun, answer: answer('a', 'One.'), bytes: 1 });
    const { conversation: previous } = await find(second, 'a');
    assert.ok(previous);
    const continued = { ...previous, messages: [...previous.messages, said('Two?')] };
    second.keep('key', { previous, conversation: continued, answer: answer('b', 'Two.'), bytes: 1 });
    const { conversation } = await find(third, 'b');
    const texts = conversation?.messages.map(({ parts }) =>
      parts.map((part) => ('text' in part ? part.text : '')).join(),
    );
    assert.deepEqual(texts, ['One?', 'One.', 'Two?', 'Two.']);
    const rows = await team.rows('SELECT id, messages FROM response ORDER BY at');
    assert.equal(rows.length, 2);
    assert.ok(!String(rows[1]?.messages).includes('One'));
  });

  it('are available to one key only', async () => {
    const store = openStore();
    store.keep('key', { conversation: NOTHING, answer: answer('a', 'Secret.'), bytes: 1 });
    assert.ok((await find(store, 'a')).conversation);
    assert.equal((await find(openStore(), 'a', 'other')).conversation, undefined);
  });

  it('include their items, and texts with any character', async () => {
    const store = openStore();
    const given = answer('a', 'NUL \0 and half a character \ud800');
    store.keep('key', { conversation: NOTHING, answer: given, bytes: 1 });
    await store.close();
    const [item] = outputItems(given);
    const { items } = await openStore().find('key', { itemIds: [String(item?.id), 'unknown'] });
    assert.deepEqual([...items], [[item?.id, JSON.parse(JSON.stringify(item))]]);
  });

  it('are continued although an upstream repeats an ID', async () => {
    const store = openStore();
    let conversation: ContinuableConversation = NOTHING;
    let previous: ContinuableConversation | undefined;
    for (const [id, text] of [
      ['a', 'One.'],
      ['b', 'Two.'],
      ['a', 'Three.'],
      ['a', 'Four.'],
    ] as const) {
      store.keep('key', { ...(previous && { previous }), conversation, answer: answer(id, text), bytes: 1 });
      ({ conversation: previous } = await find(store, id));
      assert.ok(previous);
      conversation = { ...previous, messages: [...previous.messages, said('More?')] };
    }
    const texts = previous?.messages.map(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')).join());
    assert.deepEqual(texts, ['One.', 'More?', 'Two.', 'More?', 'Three.', 'More?', 'Four.']);
  });

  it('are unknown if they follow themselves, which is not searched without end', async () => {
    const store = openStore();
    store.keep('key', { conversation: NOTHING, answer: answer('a', 'One.'), bytes: 1 });
    await store.close();
    await team.rows('UPDATE response SET parent = id');
    assert.equal((await find(openStore(), 'a')).conversation, undefined);
  });

  it('are not read if they are longer than a request can be', async () => {
    const store = openStore();
    store.keep('key', { conversation: NOTHING, answer: answer('a', 'One.'), bytes: 1 });
    const { conversation: previous } = await find(store, 'a');
    assert.ok(previous);
    store.keep('key', { previous, conversation: previous, answer: answer('b', 'One.'), bytes: 1 });
    await store.close();
    const long = "'One.', repeat('x', 17 * 1024 * 1024)";
    await team.rows(`UPDATE response SET messages = replace(messages, ${long})`);
    await team.rows(`UPDATE response_item SET item = replace(item, ${long})`);
    assert.ok((await find(store, 'a')).conversation);
    assert.deepEqual(await find(store, 'b'), { items: new Map(), isTooLong: true });
    const itemIds = ['a', 'b'].flatMap((id) => outputItems(answer(id, 'x')).map((item) => String(item.id)));
    assert.deepEqual(await store.find('key', { itemIds }), { items: new Map(), isTooLong: true });
    assert.equal((await store.find('key', { itemIds: itemIds.slice(0, 1) })).items.size, 1);
  });

  it('are unknown if the beginning of their conversation was deleted', async () => {
    const store = openStore();
    store.keep('key', { conversation: NOTHING, answer: answer('a', 'One.'), bytes: 1 });
    const { conversation: previous } = await find(store, 'a');
    assert.ok(previous);
    store.keep('key', { previous, conversation: previous, answer: answer('b', 'Two.'), bytes: 1 });
    await store.close();
    await team.rows('DELETE FROM response WHERE id = $1', [responseId('a')]);
    assert.equal((await find(openStore(), 'b')).conversation, undefined);
  });
});
