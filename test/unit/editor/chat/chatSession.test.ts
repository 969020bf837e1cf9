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
    assert.deepEqual([await Promise.all(opened), session.chat.conversation.id], [[true, true], 'fast']);
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
    assert.equal(session.chat.conversation.value.isEmpty, true);
  });

  it('says that a new chat has the message that was left in the one before, which can be emptied', async () => {
    const window = new ChatWindow({ disk: chats('one') });
    const { session } = window;
    const notices = () => window.posted.flatMap((message) => (message.type === 'notice' ? [message.notice] : []));
    await session.open('one');
    await session.startNew();
    assert.deepEqual(notices(), []);
    session.chat.composition.setDraft('half a thou');
    await session.open('one');
    await session.startNew();
    const [notice] = notices();
    assert.equal(notice?.text, 'Unsent message restored.');
    session.chat.composition.setDraft('half a thou');
    await session.undo.undo(notice?.id ?? '');
    assert.equal(session.chat.composition.draft, '');
    await session.open('one');
    await session.startNew();
    assert.equal(notices().length, 1);
  });

  it('shows that a question is on its way, which Stop then puts back into the composer', async () => {
    const limits = Promise.withResolvers<boolean>();
    const window = new ChatWindow({ allows: () => limits.promise });
    const sent = window.session.chat.turns.send('first');
    assert.equal(window.state.isAsking, true);
    window.session.chat.stop();
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
    const sent = session.chat.turns.send('first');
    await eventually('the request', async () => window.requests.length > 0);
    await session.open('other');
    assert.deepEqual(window.state.running, [{ id: 'one', title: 'A title' }]);
    await session.open('one');
    assert.equal(window.state.turns?.at(-1)?.role, 'assistant');
    more.resolve();
    await sent;
    const answer = session.chat.conversation.value.all.find(({ role }) => role === 'assistant');
    assert.deepEqual([answer?.text, answer?.role === 'assistant' && answer.status], ['half', 'complete']);
    assert.deepEqual(window.state.running, []);
  });

  it('sends the message that waits for the end of an answer, also in a chat that was left, once', async () => {
    const more = Promise.withResolvers<void>();
    const window = new ChatWindow({
      disk: chats('one', 'other'),
      answer: async function* ({ text }) {
        yield { type: 'textDelta', index: 0, text: 'half' };
        if (text === 'first') await more.promise;
        yield { type: 'finish', reason: 'stop' };
      },
    });
    const { session } = window;
    await session.open('one');
    const sent = session.chat.turns.send('first');
    await eventually('the request', async () => window.requests.length > 0);
    session.chat.queue.add('second');
    session.chat.queue.add('third');
    assert.equal(window.state.queued, 'second\n\nthird');
    session.chat.composition.setDraft('a draft');
    await session.open('other');
    assert.equal(window.state.queued, '');
    more.resolve();
    await sent;
    await eventually('the message', async () => window.requests.length === 2);
    assert.deepEqual([window.requests[1]?.chat, window.requests[1]?.text], ['one', 'second\n\nthird']);
    assert.deepEqual(window.priced, ['first', 'second\n\nthird']);
    await eventually('the end', async () => window.state.running?.length === 0);
    await session.open('one');
    assert.deepEqual([window.state.queued, window.requests.length], ['', 2]);
  });

  it('is not read again while a message waits in it, which would be lost with the chat that sends it', async () => {
    const more = Promise.withResolvers<void>();
    const learned = Promise.withResolvers<void>();
    let learns = false;
    const window = new ChatWindow({
      disk: chats('one', 'other'),
      delay: async (what) => {
        if (what !== 'learn') return;
        learns = true;
        await learned.promise;
      },
      answer: async function* ({ text }) {
        yield { type: 'textDelta', index: 0, text: 'half' };
        if (text === 'first') await more.promise;
        yield { type: 'finish', reason: 'stop' };
      },
    });
    const { session } = window;
    await session.open('one');
    const { chat } = session;
    void session.chat.turns.send('first');
    await eventually('the request', async () => window.requests.length > 0);
    chat.queue.add('second');
    await session.open('other');
    more.resolve();
    await eventually('the end of the answer', async () => learns && !chat.isRunning);
    await session.open('one');
    assert.equal(session.chat, chat);
    learned.resolve();
    await eventually('the message', async () => window.requests.at(-1)?.text === 'second');
  });

  it('asks the model that was chosen in the chat, also after another chat was opened', async () => {
    const window = new ChatWindow({ disk: chats('one', 'other') });
    const { session } = window;
    await session.open('one');
    await session.parameters.chooseModel('large');
    await session.open('other');
    assert.equal(window.state.model, 'small');
    await session.chat.turns.send('to the other');
    await session.open('one');
    assert.equal(window.state.model, 'large');
    await session.chat.turns.send('to the first');
    assert.deepEqual(
      window.requests.map(({ request }) => request.model),
      ['small', 'large'],
    );
  });

  it('puts a message that waits back into the composer if the key was removed, also in a chat that was left', async () => {
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
    const { chat } = session;
    const sent = session.chat.turns.send('first');
    await eventually('the request', async () => window.requests.length > 0);
    chat.queue.add('second');
    await session.open('other');
    delete window.connection.open;
    more.resolve();
    await sent;
    await eventually('the end of the message', async () => chat.composition.draft !== '');
    assert.deepEqual([chat.queue.text, chat.composition.draft, window.requests.length], ['', 'second', 1]);
    await session.open('one');
    assert.deepEqual([session.chat, window.composed.at(-1)], [chat, 'second']);
  });

  it('drops a message that waits after a stop, which is not sent later', async () => {
    const window = new ChatWindow({
      disk: chats('one'),
      answer: async function* ({ text, whenStopped }) {
        yield { type: 'textDelta', index: 0, text: 'half' };
        if (text === 'first') await whenStopped;
        yield { type: 'finish', reason: 'stop' };
      },
    });
    const { session } = window;
    await session.open('one');
    const sent = session.chat.turns.send('first');
    await eventually('the request', async () => window.requests.length > 0);
    session.chat.queue.add('second');
    session.chat.stop();
    await sent;
    session.chat.queue.drop();
    await session.chat.turns.send('third');
    assert.deepEqual([window.state.queued, window.requests.map(({ text }) => text)], ['', ['first', 'third']]);
  });

  it('keeps the message that waits for an answer that was stopped, until the user sends or drops it', async () => {
    const window = new ChatWindow({
      disk: chats('one'),
      answer: async function* ({ text, whenStopped }) {
        yield { type: 'textDelta', index: 0, text: 'half' };
        if (text === 'first') await whenStopped;
        yield { type: 'finish', reason: 'stop' };
      },
    });
    const { session } = window;
    await session.open('one');
    const sent = session.chat.turns.send('first');
    await eventually('the request', async () => window.requests.length > 0);
    session.chat.queue.add('second');
    session.chat.stop();
    await sent;
    assert.deepEqual(
      [window.state.queued, window.chats.queued.textIn('one'), window.requests.length],
      ['second', 'second', 1],
    );
    // What is written now is sent before it, at its own price.
    session.chat.composition.setDraft('other');
    assert.equal(session.chat.queue.nextText, 'other');
    session.chat.composition.setDraft('');
    assert.equal(session.chat.queue.nextText, 'second');
    await session.chat.queue.send();
    assert.deepEqual(
      [window.state.queued, window.chats.queued.textIn('one'), window.requests.at(-1)?.text],
      ['', '', 'second'],
    );
  });

  it('asks a question in its chat if another one is opened while it is on its way', async () => {
    const limits = Promise.withResolvers<boolean>();
    const disk = chats('one', 'other');
    const window = new ChatWindow({ disk, allows: () => limits.promise });
    await window.session.open('one');
    const sent = window.session.chat.turns.send('first');
    await window.session.open('other');
    limits.resolve(true);
    await sent;
    assert.deepEqual([window.requests.map(({ chat }) => chat), window.composed], [['one'], []]);
    assert.equal(disk.get('other')?.length, 2);
  });

  it('keeps what is written while a question is on its way', async () => {
    const limits = Promise.withResolvers<boolean>();
    const { session } = new ChatWindow({ allows: () => limits.promise });
    const sent = session.chat.turns.send('first');
    session.chat.composition.setDraft('next');
    limits.resolve(true);
    await sent;
    assert.equal(session.chat.composition.draft, 'next');
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
    await session.chat.chooseMode('agent');
    const begun = session.startNew();
    assert.deepEqual([session.chat.conversation.value.isEmpty, session.parameters.mode], [true, 'agent']);
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
    await session.chat.chooseMode('agent');
    await assert.rejects(session.chat.turns.send('first'), /another window/);
    await assert.rejects(session.chat.turns.edit('q-one', 'other'), /another window/);
    assert.deepEqual([window.composed, window.requests, session.state.turns.length], [['first'], [], 1]);
  });

  it('asks a question that is sent twice at once', async () => {
    const window = new ChatWindow();
    await Promise.all([window.session.chat.turns.send('first'), window.session.chat.turns.send('first')]);
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
        const sent = window.session.chat.turns.send(text);
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
      await assert.rejects(window.session.chat.turns.send('second'), /Another chat is running/);
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
