import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AnswerWriter } from '../../../../src/chat/answers/answerWriter.ts';
import { takeOver } from '../../../../src/chat/conversation/abandonedAnswers.ts';
import { ConversationStore } from '../../../../src/chat/conversation/conversationStore.ts';
import { LiveConversation } from '../../../../src/chat/conversation/liveConversation.ts';
import type { AnswerTurn } from '../../../../src/pages/chat/protocol.ts';
import { answer, header, question } from './records.ts';

const FIGURES = { outputTokens: 1, cost: 0.25, estimated: false };

/** A window: its conversation, and the writer of its answer. */
interface Window {
  readonly store: ConversationStore;
  readonly live: LiveConversation;
}

describe('an answer that another window continues', () => {
  let folder: string;
  let sleeper: Window;
  let other: Window;
  const stores: ConversationStore[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'takeOver-'));
    const store = new ConversationStore(folder);
    await store.append('c', [header('c'), question('q', 'why?', { parent: null })]);
    sleeper = await opened(store);
    sleeper.live.record(answer('a', { parent: 'q' }));
    sleeper.live.write({ type: 'delta', id: 'a', text: 'one ' });
    sleeper.live.apply({ type: 'delta', id: 'a', text: 'one ' });
    await store.whenWritten();
    other = await opened(new ConversationStore(folder));
    // Its lease has expired, so the answer counts as stopped there.
    other.live.apply({ type: 'answerEnd', id: 'a', status: 'stopped' });
  });
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.whenWritten()));
    await rm(folder, { recursive: true });
  });

  async function opened(store: ConversationStore): Promise<Window> {
    stores.push(store);
    const stored = await store.readAndFollow('c');
    assert.ok(stored !== undefined);
    return { store, live: new LiveConversation(stored, store, (error) => assert.fail(String(error))) };
  }

  function writerOf({ live }: Window, id: string): AnswerWriter {
    return new AnswerWriter(id, {
      toPanel: (delta) => live.apply({ type: 'delta', id, ...delta }),
      toFile: (record) => live.write(record),
    });
  }

  function say(window: Window, id: string, text: string): void {
    const writer = writerOf(window, id);
    writer.write({ text });
    writer.finish({ status: 'stopped' });
    window.live.end(id, { status: 'stopped' });
  }

  function takenOver(window: Window): AnswerTurn {
    const found = window.live.value.answer('a');
    assert.ok(found !== undefined);
    return takeOver(window.live, found);
  }

  async function allRead(): Promise<void> {
    for (const { store } of [sleeper, other]) await store.whenWritten();
    await sleeper.live.catchUp();
    await sleeper.store.whenWritten();
    await other.live.catchUp();
  }

  /**
   * The other window continues the answer, and then the window that was asleep does.
   * @returns the other window's answer.
   */
  async function wakesAfterTheOther(): Promise<AnswerTurn> {
    const own = takenOver(other);
    say(other, own.id, 'two');
    await other.store.whenWritten();
    await sleeper.live.catchUp();
    say(sleeper, 'a', 'and I slept');
    sleeper.live.yieldToSuccessor('a');
    return own;
  }

  /** Returns the texts of the visible answers, the same for every reader. */
  async function shownToAll(): Promise<string[]> {
    await allRead();
    const fresh = await opened(new ConversationStore(folder));
    const [first, ...rest] = [sleeper, other, fresh].map(({ live }) =>
      live.value.all.flatMap((entry) => (entry.role === 'assistant' ? [entry.text] : [])).sort(),
    );
    for (const texts of rest) assert.deepEqual(texts, first);
    return first ?? [];
  }

  it('belongs to that window and replaces the first answer', async () => {
    const own = takenOver(other);
    assert.equal(other.live.isOwn('a'), false);
    assert.equal(other.live.isOwn(own.id), true);
    say(other, own.id, 'two');
    assert.deepEqual(await shownToAll(), ['one two']);
    const fresh = await opened(new ConversationStore(folder));
    assert.equal(fresh.live.value.entries.at(-1)?.text, 'one two');
    assert.equal(fresh.live.value.branchOf(own.id), undefined);
  });

  it('is paid for once', async () => {
    other.live.record({ type: 'answerEnd', id: 'a', status: 'stopped', figures: FIGURES });
    const own = takenOver(other);
    assert.deepEqual(other.live.spent, { cost: 0.25 });
    other.live.end(own.id, { status: 'complete', figures: { ...FIGURES, cost: 0.75, copiedCost: 0.25 } });
    assert.deepEqual(other.live.spent, { cost: 0.75 });
  });

  it('keeps both texts if the first window wakes up and writes before the other does', async () => {
    const own = takenOver(other);
    say(sleeper, 'a', 'and I slept');
    say(other, own.id, 'two');
    assert.deepEqual(await shownToAll(), ['one and I slept', 'one two']);
  });

  it('keeps both texts if the first window wakes up after the other has finished', async () => {
    await wakesAfterTheOther();
    assert.deepEqual(await shownToAll(), ['one and I slept', 'one two']);
  });

  it('keeps both texts if the first window ends its answer before it notices the other', async () => {
    const own = takenOver(other);
    say(sleeper, 'a', 'and I slept');
    sleeper.live.yieldToSuccessor('a');
    say(other, own.id, 'two');
    assert.deepEqual(await shownToAll(), ['one and I slept', 'one two']);
  });

  it('keeps both texts if the first window wrote more before the other took over', async () => {
    say(sleeper, 'a', 'and I slept');
    const own = takenOver(other);
    say(other, own.id, 'two');
    assert.deepEqual(await shownToAll(), ['one and I slept', 'one two']);
  });

  it('shows each window the branch that it was reading', async () => {
    const own = await wakesAfterTheOther();
    await allRead();
    assert.equal(sleeper.live.value.entries.at(-1)?.text, 'one and I slept');
    assert.equal(other.live.value.entries.at(-1)?.text, 'one two');
    assert.deepEqual(other.live.value.branchOf(own.id), { position: 2, count: 2 });
  });

  it('leaves no second branch if the first window has no further text', async () => {
    const own = takenOver(other);
    await other.store.whenWritten();
    await sleeper.live.catchUp();
    assert.equal(sleeper.live.value.successorOf('a')?.id, own.id);
    sleeper.live.end('a', { status: 'stopped' });
    sleeper.live.yieldToSuccessor('a');
    say(other, own.id, 'two');
    assert.deepEqual(await shownToAll(), ['one two']);
  });

  it('is shown twice if two windows take it over at the same moment', async () => {
    const third = await opened(new ConversationStore(folder));
    third.live.apply({ type: 'answerEnd', id: 'a', status: 'stopped' });
    const [second, own] = [takenOver(other), takenOver(third)];
    say(other, second.id, 'two');
    say(third, own.id, 'three');
    await third.store.whenWritten();
    assert.deepEqual(await shownToAll(), ['one three', 'one two']);
  });

  it('is recognized as its own by a window that returns to the conversation', async () => {
    const again = await opened(sleeper.store);
    assert.equal(again.live.isOwn('a'), true);
    assert.equal((await opened(other.store)).live.isOwn('a'), false);
  });
});
