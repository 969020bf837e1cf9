import assert from 'node:assert/strict';
import { ChatNotices } from '../../../../src/editor/chat/chatNotices.ts';
import type { Agent } from '../../../../src/editor/chat/runFollower.ts';
import { ChatWindow } from '../../../support/chatWindow.ts';
import { window as editor } from '../../../support/editorApi/vscode.ts';
import { eventually } from '../../../support/eventually.ts';
import type { Disk } from '../../../support/memoryStore.ts';
import { header, question } from '../../chat/conversation/records.ts';

/** Saved chats with one question each. */
function chats(...ids: readonly string[]): Disk {
  return new Map(
    ids.map((id) => [
      id,
      [header(id), question(`q-${id}`, id, { parent: null })].map((record) => ({ record, by: '' })),
    ]),
  );
}

describe('the chat of a window', () => {
  it('shows the chat that was chosen last, not the one that was read last', async () => {
    const slow = Promise.withResolvers<void>();
    const delay = async (what: string) => (what === 'read slow' ? slow.promise : undefined);
    const { session } = new ChatWindow({ disk: chats('slow', 'fast'), delay });
    const opened = [session.open('slow'), session.open('fast')];
    await opened[1];
    slow.resolve();
    assert.deepEqual([await Promise.all(opened), session.conversation.id], [[true, true], 'fast']);
  });

  it('shows a new chat that was begun while another one was read', async () => {
    const slow = Promise.withResolvers<void>();
    const delay = async (what: string) => (what === 'read slow' ? slow.promise : undefined);
    const { session } = new ChatWindow({ disk: chats('slow', 'fast'), delay });
    await session.open('fast');
    const opened = session.open('slow');
    await session.startNew();
    slow.resolve();
    await opened;
    assert.equal(session.conversation.value.isEmpty, true);
  });

  it('shows that a question is on its way, which Stop then puts back into the composer', async () => {
    const limits = Promise.withResolvers<boolean>();
    const window = new ChatWindow({ allows: () => limits.promise });
    const sent = window.session.turns.send('first');
    assert.equal(window.state.isAsking, true);
    window.session.stop();
    limits.resolve(true);
    await sent;
    assert.deepEqual([window.state.isAsking, window.composed, window.requests], [false, ['first'], []]);
  });

  it('goes on with an answer in a chat that was left, and shows it when that is opened again', async () => {
    const more = Promise.withResolvers<void>();
    const window = new ChatWindow({
      disk: chats('one', 'other'),
      answer: async function* () {
        yield { type: 'textDelta', index: 0, text: 'half' };
        await more.promise;
        yield { type: 'finish', reason: 'stop' };
      },
    });
    const { session } = window;
    await session.open('one');
    const sent = session.turns.send('first');
    await eventually('the request', async () => window.requests.length > 0);
    await session.open('other');
    assert.deepEqual(window.state.running, [{ id: 'one', title: 'A title' }]);
    await session.open('one');
    assert.equal(window.state.turns?.at(-1)?.role, 'assistant');
    more.resolve();
    await sent;
    const answer = session.conversation.value.all.find(({ role }) => role === 'assistant');
    assert.deepEqual([answer?.text, answer?.role === 'assistant' && answer.status], ['half', 'complete']);
    assert.deepEqual(window.state.running, []);
  });

  it('asks a question in its chat if another one is opened while it is on its way', async () => {
    const limits = Promise.withResolvers<boolean>();
    const disk = chats('one', 'other');
    const window = new ChatWindow({ disk, allows: () => limits.promise });
    await window.session.open('one');
    const sent = window.session.turns.send('first');
    await window.session.open('other');
    limits.resolve(true);
    await sent;
    assert.deepEqual([window.requests.map(({ chat }) => chat), window.composed], [['one'], []]);
    assert.equal(disk.get('other')?.length, 2);
  });

  it('keeps what is written while a question is on its way', async () => {
    const limits = Promise.withResolvers<boolean>();
    const { session } = new ChatWindow({ allows: () => limits.promise });
    const sent = session.turns.send('first');
    session.composition.setDraft('next');
    limits.resolve(true);
    await sent;
    assert.equal(session.composition.draft, 'next');
  });

  it('begins a new chat in the same mode from its first moment', async () => {
    const agent = {
      isBusy: false,
      ended: Promise.resolve(),
      show: () => undefined,
      hide: () => undefined,
      stop: () => undefined,
    };
    const window = new ChatWindow({ disk: chats('one'), loadAgent: async () => agent as unknown as Agent });
    const { session } = window;
    await session.open('one');
    await session.chooseMode('agent');
    const begun = session.startNew();
    assert.deepEqual([session.conversation.value.isEmpty, session.parameters.mode], [true, 'agent']);
    await begun;
  });

  it('asks nothing if the agent cannot act, and keeps what was written', async () => {
    const agent = {
      isBusy: false,
      ended: Promise.resolve(),
      checkMayAct: async () => assert.fail('another window'),
      ...{ show: () => undefined, hide: () => undefined, stop: () => undefined, equip: (request: unknown) => request },
    };
    const window = new ChatWindow({ disk: chats('one'), loadAgent: async () => agent as unknown as Agent });
    const { session } = window;
    await session.open('one');
    await session.chooseMode('agent');
    await assert.rejects(session.turns.send('first'), /another window/);
    await assert.rejects(session.turns.edit('q-one', 'other'), /another window/);
    assert.deepEqual([window.composed, window.requests, session.state.turns.length], [['first'], [], 1]);
  });

  it('asks a question that is sent twice at once', async () => {
    const window = new ChatWindow();
    await Promise.all([window.session.turns.send('first'), window.session.turns.send('first')]);
    assert.deepEqual([window.requests.map(({ text }) => text), window.composed], [['first'], ['first']]);
  });

  describe('with other chats that are running', () => {
    /** A window whose answers end when the test says so. */
    function slowWindow({ maxRunning = 4 } = {}) {
      const ends: (() => void)[] = [];
      const window = new ChatWindow({
        maxRunning,
        answer: async function* () {
          yield { type: 'textDelta', index: 0, text: 'half' };
          await new Promise<void>((resolve) => ends.push(resolve));
          yield { type: 'finish', reason: 'stop' };
        },
      });
      const ask = async (text: string) => {
        const sent = window.session.turns.send(text);
        const { length } = window.requests;
        await eventually('the request', async () => window.requests.length > length);
        return { sent, id: window.session.chat.id };
      };
      return { window, ask, ends };
    }

    it('asks nothing in one more chat than may run, and keeps what was written', async () => {
      const { window, ask, ends } = slowWindow({ maxRunning: 1 });
      const { sent } = await ask('first');
      await window.session.startNew();
      await assert.rejects(window.session.turns.send('second'), /Another chat is running/);
      assert.deepEqual([window.composed, window.requests.length], [['second'], 1]);
      ends[0]?.();
      await sent;
      const second = await ask('second');
      assert.equal(window.requests.length, 2);
      ends[1]?.();
      await second.sent;
    });

    it('stops one chat or all, and shows what still runs', async () => {
      const { window, ask, ends } = slowWindow();
      const first = await ask('first');
      await window.session.startNew();
      const second = await ask('second');
      assert.deepEqual(
        window.state.running?.map(({ title }) => title),
        ['first', 'second'],
      );
      window.chats.live(first.id)?.stop();
      for (const end of ends) end();
      await first.sent;
      assert.deepEqual(
        window.requests.map(({ isStopped }) => isStopped),
        [true, false],
      );
      window.chats.stopAll();
      await second.sent;
      assert.deepEqual(window.state.running, []);
    });

    it('stops all and keeps what was received when the window closes', async () => {
      const { window, ask, ends } = slowWindow();
      const first = await ask('first');
      await window.session.startNew();
      const second = await ask('second');
      const closed = window.chats.close();
      for (const end of ends) end();
      await Promise.all([closed, first.sent, second.sent]);
      const texts = [first, second].map(({ id }) => window.chats.live(id)?.conversation.value.entries.at(-1)?.text);
      assert.deepEqual([texts, window.requests.every(({ isStopped }) => isStopped)], [['half', 'half'], true]);
    });

    it('tells when a chat that is not shown has finished, and not when it was stopped', async () => {
      const { window, ask, ends } = slowWindow();
      const told: string[] = [];
      editor.answer = async (message) => void told.push(message);
      const notices = new ChatNotices(window.chats);
      const first = await ask('first');
      await window.session.startNew();
      ends[0]?.();
      await first.sent;
      assert.deepEqual(told, ['The chat “first” has finished.']);
      const second = await ask('second');
      await window.session.startNew();
      window.chats.stopAll();
      ends[1]?.();
      await second.sent;
      assert.equal(told.length, 1);
      notices.dispose();
    });
  });
});
