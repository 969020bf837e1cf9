import assert from 'node:assert/strict';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { ConversationStore, type FollowedConversation } from '../../../../src/chat/conversation/conversationStore.ts';
import { LiveConversation } from '../../../../src/chat/conversation/liveConversation.ts';
import { answer, answered, question } from './records.ts';

function begun(id: string): FollowedConversation {
  return { conversation: new Conversation(id), end: 0, elsewhere: [], own: [] };
}

function failToWrite(error: unknown): never {
  throw error;
}

describe('a conversation that is open in two windows', () => {
  let folder: string;
  let store: ConversationStore;
  let mine: LiveConversation;
  let theirs: LiveConversation;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'conversations-'));
    store = new ConversationStore(folder);
    mine = new LiveConversation(begun('c'), store, failToWrite);
    mine.record(question('q1', 'first', { parent: null }));
    await store.whenWritten();
    theirs = await openedElsewhere();
  });
  afterEach(async () => {
    await store.whenWritten();
    await rm(folder, { recursive: true });
  });

  async function openedElsewhere(): Promise<LiveConversation> {
    const other = new ConversationStore(folder);
    const stored = await other.readAndFollow('c');
    assert.ok(stored !== undefined);
    return new LiveConversation(stored, other, failToWrite);
  }

  function textsOf({ value }: LiveConversation): string[] {
    return value.entries.map(({ text }) => text);
  }

  /** Makes `writer` write and `reader` read it. */
  async function exchange(writer: LiveConversation, reader: LiveConversation): Promise<boolean> {
    await writer.catchUp();
    return (await reader.catchUp()).length > 0;
  }

  it('has a file from the first question on, with the title and the earlier settings', async () => {
    const fresh = new LiveConversation(begun('fresh'), store, failToWrite);
    fresh.record({ type: 'parameters', parameters: { maxTokens: 7 } });
    await store.whenWritten();
    assert.equal(await store.read('fresh'), undefined);
    fresh.record(question('q', 'Why?'));
    await store.whenWritten();
    const stored = await store.read('fresh');
    assert.equal(stored?.conversation.title, 'Why?');
    assert.deepEqual(stored?.conversation.parameters, { maxTokens: 7 });
  });

  it('receives the other window’s question immediately, and its answer as it streams', async () => {
    theirs.record(answer('a1', { parent: 'q1' }));
    await exchange(theirs, mine);
    assert.equal(mine.isAnsweredElsewhere, true);
    theirs.write({ type: 'delta', id: 'a1', text: 'half' });
    await exchange(theirs, mine);
    assert.deepEqual(textsOf(mine), ['first', 'half']);
    assert.equal(mine.value.answer('a1')?.status, 'streaming');
    theirs.write({ type: 'delta', id: 'a1', text: ' and half' }, { type: 'answerEnd', id: 'a1', status: 'complete' });
    assert.equal(await exchange(theirs, mine), true);
    assert.deepEqual(textsOf(mine), ['first', 'half and half']);
    assert.equal(mine.value.answer('a1')?.status, 'complete');
    assert.equal(mine.isAnsweredElsewhere, false);
  });

  it('shows the other window’s answer as running, even if opened in the middle of it', async () => {
    mine.record(answer('a1', { parent: 'q1' }));
    mine.write({ type: 'delta', id: 'a1', text: 'half' });
    await store.whenWritten();
    const later = await openedElsewhere();
    assert.equal(later.isAnsweredElsewhere, true);
    assert.equal(later.value.answer('a1')?.status, 'streaming');
    mine.write({ type: 'delta', id: 'a1', text: ' more' }, { type: 'answerEnd', id: 'a1', status: 'complete' });
    await exchange(mine, later);
    assert.deepEqual(textsOf(later), ['first', 'half more']);
    assert.equal(later.isAnsweredElsewhere, false);
  });

  it('treats an answer as stopped when no window writes it, until more text arrives', async () => {
    theirs.record(answer('a1', { parent: 'q1' }));
    theirs.write({ type: 'delta', id: 'a1', text: 'half' });
    await exchange(theirs, mine);
    assert.deepEqual(await mine.stopRemoteOfClosed(), []);
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(join(folder, 'c.jsonl'), longAgo, longAgo);
    assert.equal((await openedElsewhere()).value.answer('a1')?.status, 'stopped');
    assert.deepEqual(await mine.stopRemoteOfClosed(), ['a1']);
    assert.equal(mine.value.answer('a1')?.status, 'stopped');
    assert.equal(mine.isAnsweredElsewhere, false);
    theirs.write({ type: 'delta', id: 'a1', text: ' awake again' });
    await exchange(theirs, mine);
    assert.equal(mine.value.answer('a1')?.text, 'half awake again');
    assert.equal(mine.isAnsweredElsewhere, true);
  });

  it('is shown as active while the answering window has nothing to write', async () => {
    mine.record(answer('a1', { parent: 'q1' }));
    await store.whenWritten();
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(join(folder, 'c.jsonl'), longAgo, longAgo);
    assert.equal(await store.isAlive('c'), false);
    await store.touch('c');
    assert.equal(await store.isAlive('c'), true);
    await store.touch('absent');
    assert.equal(await store.isAlive('absent'), false);
  });

  it('can continue one branch while the other window answers in another', async () => {
    for (const record of answered('a1', 'mine', { parent: 'q1' })) mine.record(record);
    await exchange(mine, theirs);
    theirs.record(question('q1b', 'edited', { parent: null }));
    theirs.record(answer('a1b', { parent: 'q1b' }));
    await exchange(theirs, mine);
    assert.equal(mine.elsewhere.has('a1b'), true);
    assert.equal(mine.isAnsweredElsewhere, false);
    assert.deepEqual(textsOf(mine), ['first', 'mine']);
  });

  it('applies no record twice, and none of its own', async () => {
    for (const record of answered('a1', 'mine', { parent: 'q1' })) mine.record(record);
    assert.equal(await exchange(mine, mine), false);
    assert.deepEqual(textsOf(mine), ['first', 'mine']);
    await exchange(mine, theirs);
    assert.equal(await exchange(mine, theirs), false);
    assert.deepEqual(textsOf(theirs), ['first', 'mine']);
  });

  it('does not switch branches when the other window starts one elsewhere', async () => {
    for (const record of answered('a1', 'mine', { parent: 'q1' })) mine.record(record);
    await exchange(mine, theirs);
    theirs.record(question('q1b', 'edited', { parent: null }));
    await exchange(theirs, mine);
    assert.deepEqual(textsOf(mine), ['first', 'mine']);
    assert.deepEqual(mine.value.branchOf('q1'), { position: 1, count: 2 });
  });

  it('loses nothing when both windows continue at the same point', async () => {
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
