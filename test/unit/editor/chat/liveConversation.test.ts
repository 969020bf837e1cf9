import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Conversation } from '../../../../src/editor/chat/conversation/conversation.ts';
import { ConversationStore } from '../../../../src/editor/chat/conversation/conversationStore.ts';
import { LiveConversation } from '../../../../src/editor/chat/conversation/liveConversation.ts';
import { answer, answered, question } from './records.ts';

function failToWrite(error: unknown): never {
  throw error;
}

describe('a conversation that two windows show', () => {
  let folder: string;
  let store: ConversationStore;
  let mine: LiveConversation;
  let theirs: LiveConversation;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'conversations-'));
    store = new ConversationStore(folder);
    mine = new LiveConversation(new Conversation('c'), 0, store, failToWrite);
    mine.record(question('q1', 'first', { parent: null }));
    await store.settled();
    theirs = await openedElsewhere();
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function openedElsewhere(): Promise<LiveConversation> {
    const other = new ConversationStore(folder);
    const stored = await other.read('c');
    assert.ok(stored !== undefined);
    return new LiveConversation(stored.conversation, stored.end, other, failToWrite);
  }

  function textsOf({ value }: LiveConversation): string[] {
    return value.entries.map(({ text }) => text);
  }

  /** Lets `writer` write, and `reader` read it. */
  async function exchange(writer: LiveConversation, reader: LiveConversation): Promise<boolean> {
    await writer.catchUp();
    return reader.catchUp();
  }

  it('has a file from the first question on, with the title and what was decided before it', async () => {
    const fresh = new LiveConversation(new Conversation('fresh'), 0, store, failToWrite);
    fresh.record({ type: 'parameters', parameters: { maxTokens: 7 } });
    await store.settled();
    assert.equal(await store.read('fresh'), undefined);
    fresh.record(question('q', 'Why?'));
    await store.settled();
    const stored = await store.read('fresh');
    assert.equal(stored?.conversation.title, 'Why?');
    assert.deepEqual(stored?.conversation.parameters, { maxTokens: 7 });
  });

  it('gets a question of the other at once and its answer when it is whole', async () => {
    theirs.record(answer('a1', { parent: 'q1' }));
    theirs.write({ type: 'delta', id: 'a1', text: 'half' });
    await exchange(theirs, mine);
    assert.deepEqual(textsOf(mine), ['first']);
    theirs.write({ type: 'delta', id: 'a1', text: ' and half' }, { type: 'answerEnd', id: 'a1', status: 'complete' });
    assert.equal(await exchange(theirs, mine), true);
    assert.deepEqual(textsOf(mine), ['first', 'half and half']);
  });

  it('takes nothing twice, and nothing of its own', async () => {
    for (const record of answered('a1', 'mine', { parent: 'q1' })) mine.record(record);
    assert.equal(await exchange(mine, mine), false);
    assert.deepEqual(textsOf(mine), ['first', 'mine']);
    await exchange(mine, theirs);
    assert.equal(await exchange(mine, theirs), false);
    assert.deepEqual(textsOf(theirs), ['first', 'mine']);
  });

  it('does not turn the page when the other begins a branch elsewhere', async () => {
    for (const record of answered('a1', 'mine', { parent: 'q1' })) mine.record(record);
    await exchange(mine, theirs);
    theirs.record(question('q1b', 'edited', { parent: null }));
    await exchange(theirs, mine);
    assert.deepEqual(textsOf(mine), ['first', 'mine']);
    assert.deepEqual(mine.value.branchOf('q1'), { position: 1, count: 2 });
  });

  it('loses nothing when both go on from the same place', async () => {
    mine.record(question('m', 'mine', { parent: 'q1' }));
    theirs.record(question('t', 'theirs', { parent: 'q1' }));
    await exchange(theirs, mine);
    await exchange(mine, theirs);
    const again = await openedElsewhere();
    for (const { value } of [mine, theirs, again]) assert.deepEqual([...value.siblingsOf('m')].sort(), ['m', 't']);
    assert.deepEqual(textsOf(mine), ['first', 'mine']);
    assert.deepEqual(textsOf(theirs), ['first', 'theirs']);
  });
});
