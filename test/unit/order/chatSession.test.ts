/** A person in the chat, and everything that the chat awaits, in any order. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { conversationOf } from '../../../src/chat/conversation/conversation.ts';
import type { ConversationRecord } from '../../../src/chat/conversation/record.ts';
import { BranchActions } from '../../../src/editor/chat/branchActions.ts';
import type { Chat } from '../../../src/editor/chat/chat.ts';
import { AnyOrder, moments, type Step } from '../../support/anyOrder.ts';
import { ChatWindow, type ServedRequest } from '../../support/chatWindow.ts';
import type { Disk } from '../../support/memoryStore.ts';
import { schedules } from '../../support/randomRuns.ts';
import { header, question } from '../chat/conversation/records.ts';

type Action =
  | 'send'
  | 'sendTwice'
  | 'sendLate'
  | 'queue'
  | 'stop'
  | 'stopOther'
  | 'stopAll'
  | 'retry'
  | 'edit'
  | 'open'
  | 'new'
  | 'remove'
  | 'follow';

const ACTIONS: readonly Action[] = [
  ...(['send', 'send', 'send', 'sendTwice', 'sendLate', 'queue', 'stop', 'stop', 'stopOther', 'stopAll'] as const),
  ...(['retry', 'edit', 'open', 'open', 'new', 'remove', 'follow'] as const),
];

/** A question that somebody has sent. */
interface Sent {
  readonly text: string;
  /** The chat in which it was sent. */
  readonly chat: string;
  readonly at: number;
  readonly isQueued: boolean;
  readonly isEdit: boolean;
}

interface PersonOptions {
  readonly limits?: readonly boolean[];
  readonly maxRunning?: number;
}

/** A person in one window, with what must be true of it. */
class Person {
  readonly window: ChatWindow;
  readonly #order: AnyOrder;
  readonly #name: string;
  readonly #maxRunning: number;
  readonly sent: Sent[] = [];
  /** Undefined for all chats. */
  readonly stops: { readonly chat: string | undefined; readonly at: number }[] = [];
  /** The chats that were shown, in order. */
  readonly #seen = new Set<Chat>();
  /** How often an answer was asked for again. */
  again = 0;
  readonly servedAt = new Map<ServedRequest, number>();

  constructor(name: string, order: AnyOrder, disk: Disk, { limits = [], maxRunning = 4 }: PersonOptions = {}) {
    this.#name = name;
    this.#order = order;
    this.#maxRunning = maxRunning;
    let asked = 0;
    this.window = new ChatWindow({
      disk,
      maxRunning,
      delay: order.delay,
      allows: async () => {
        await order.delay('limits');
        asked += 1;
        return limits[asked % Math.max(1, limits.length)] ?? true;
      },
    });
  }

  step(action: Action, number: number): Step {
    return { what: `${this.#name}: ${action} ${number}`, act: () => this.#do(action, number) };
  }

  #do(action: Action, number: number): unknown {
    const { session, chats } = this.window;
    const { chat } = session;
    const { turns } = chat;
    const { entries } = chat.conversation.value;
    switch (action) {
      case 'send':
        return turns.send(this.#text(number));
      case 'sendTwice': {
        const text = this.#text(number);
        return Promise.all([turns.send(text), turns.send(text)]);
      }
      case 'sendLate': {
        // The panel has sent it before it has shown the chat that is open now.
        const seen = [...this.#seen].findLast((one) => one !== chat)?.id;
        if (seen === undefined) return undefined;
        const text = this.#text(number, { chat: seen });
        return chats.get(seen).then((one) => one.turns.send(text));
      }
      case 'queue':
        return chat.queue.add(this.#text(number, { isQueued: true }));
      case 'stop':
        this.stops.push({ chat: chat.id, at: this.#order.now });
        return session.chat.stop();
      case 'stopOther': {
        const other = chats.running.find(({ id }) => id !== chat.id)?.id;
        if (other === undefined) return undefined;
        this.stops.push({ chat: other, at: this.#order.now });
        return chats.live(other)?.stop();
      }
      case 'stopAll':
        this.stops.push({ chat: undefined, at: this.#order.now });
        return chats.stopAll();
      case 'retry': {
        this.again += 1;
        const answer = entries.findLast(({ role }) => role === 'assistant');
        return answer && turns.askAgain(answer.id);
      }
      case 'edit': {
        const asked = entries.findLast(({ role }) => role === 'user');
        // The panel keeps an edited text until it is asked.
        return asked && turns.edit(asked.id, this.#text(number, { isEdit: true }));
      }
      case 'open':
        return session.open(['one', 'two', 'three'][number % 3] ?? 'one');
      case 'new':
        return session.startNew();
      case 'remove': {
        const last = entries.at(-1);
        return last && new BranchActions(chat).remove(last.id);
      }
      case 'follow':
        return chats.follow();
    }
  }

  #text(
    number: number,
    { chat = this.window.session.chat.id, isQueued = false, isEdit = false }: Partial<Sent> = {},
  ): string {
    const text = `${this.#name} ${number}`;
    this.sent.push({ text, chat, at: this.#order.now, isQueued, isEdit });
    return text;
  }

  /** What is true at every moment. */
  look(): void {
    const { session, state, requests, chats } = this.window;
    this.#seen.add(session.chat);
    for (const request of requests) if (!this.servedAt.has(request)) this.servedAt.set(request, this.#order.now);
    assert.equal(state.conversationId, session.chat.id, 'the panel shows another chat');
    assert.equal(state.isAsking ?? false, session.chat.turns.isAsking, 'the panel does not show what is on its way');
    assert.deepEqual(state.running ?? [], chats.running, 'the panel does not show what runs');
    assert.ok(chats.running.length <= this.#maxRunning, 'too many chats run');
    const open = requests.filter(({ isStopped, isEnded }) => !isStopped && !isEnded);
    for (const { chat } of open) {
      assert.ok(
        chats.running.some(({ id }) => id === chat),
        'a request runs that cannot be stopped',
      );
    }
  }

  /** What is true when all has ended. */
  check(disk: Disk): void {
    const { chats, requests, composed, failures } = this.window;
    assert.deepEqual(failures, []);
    assert.deepEqual(chats.running, []);
    for (const { text, chat, at, isQueued, isEdit } of this.sent) {
      const served = requests.filter((request) => has(request.text, text));
      // A chat that is not shown keeps it for the panel.
      const live = chats.live(chat);
      // What is queued is kept, if no answer was complete since.
      const kept = [...composed, live?.composition.draft ?? '', chats.queued.textIn(chat)];
      const isBack = kept.some((one) => has(one, text));
      assert.ok(served.length <= 1 + this.again, `${text} was asked ${served.length} times`);
      if (this.again === 0 && served.length === 0 && !isEdit) {
        assert.ok(isBack || isIn(disk, text).length > 0, `${text} is lost`);
      }
      for (const one of served) {
        const servedAt = this.servedAt.get(one) ?? 0;
        const isOf = (stop: { readonly chat: string | undefined }) => stop.chat === undefined || stop.chat === chat;
        const late = this.stops.filter((stop) => isOf(stop) && at < stop.at && stop.at < servedAt);
        if (!isQueued && this.again === 0) assert.deepEqual(late, [], `${text} was asked after a stop`);
      }
      assert.ok(
        isIn(disk, text).every((id) => id === chat),
        `${text} is in another chat`,
      );
    }
    // One that is neither shown nor running is read again when it is opened.
    for (const chat of this.#seen) if (chats.live(chat.id) === chat && chat.isNeeded) checkStored(chat, disk);
  }
}

/** Messages that wait for the same answer are sent as one. */
function has(sent: string, text: string): boolean {
  return sent.split('\n\n').includes(text);
}

function checkStored({ id, conversation }: Chat, disk: Disk): void {
  const records = disk.get(id)?.map(({ record }) => record) ?? [];
  // Windows that write at the same moment see each other's records later.
  const textsOf = ({ all }: typeof conversation.value) => all.map((entry) => `${entry.id}: ${entry.text}`).sort();
  assert.deepEqual(textsOf(conversationOf(id, records)), textsOf(conversation.value));
}

/** The chats that contain a question. */
function isIn(disk: Disk, text: string): readonly string[] {
  const asks = ({ record }: { readonly record: ConversationRecord }) =>
    record.type === 'question' && has(record.text, text);
  return [...disk].filter(([, records]) => records.some(asks)).map(([id]) => id);
}

function chats(): Disk {
  return new Map(
    ['one', 'two', 'three'].map((id) => [
      id,
      [header(id), question(`q-${id}`, id, { parent: null })].map((record) => ({ record, by: 'earlier' })),
    ]),
  );
}

describe('several chats, in any order of what is done and awaited', () => {
  const actions = moments(fc.tuple(fc.constantFrom(...ACTIONS), fc.nat(2)));
  const limits = fc.array(fc.boolean(), { maxLength: 3 });

  it('asks each question once, in its chat, or puts it back, shows what runs, and ends it with Stop', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        actions,
        limits,
        fc.integer({ min: 1, max: 4 }),
        async (scheduler, done, allowed, maxRunning) => {
          const order = new AnyOrder(scheduler);
          const disk = chats();
          const person = new Person('a', order, disk, { limits: allowed, maxRunning });
          let number = 0;
          for (const together of done) {
            for (const [action, at] of together) {
              order.plan([person.step(action, number + at)]);
              number += 3;
            }
            await order.run(() => person.look());
          }
          person.check(disk);
        },
      ),
      { numRuns: schedules(300) },
    );
  });

  it('asks each question once, also if two windows show the same chats', async () => {
    const both = fc.array(fc.tuple(fc.constantFrom(...ACTIONS), fc.nat(1)), { minLength: 2, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), both, async (scheduler, done) => {
        const order = new AnyOrder(scheduler);
        const disk = chats();
        const people = ['a', 'b'].map((name) => new Person(name, order, disk));
        order.plan(people.map((person) => person.step('open', 0)));
        await order.run();
        for (const [window, person] of people.entries()) {
          order.plan(done.flatMap(([action, at], number) => (at === window ? [person.step(action, number)] : [])));
        }
        await order.run(() => {
          for (const person of people) person.look();
        });
        // What the other window has written last is read now.
        order.plan(people.map((person) => person.step('follow', 0)));
        await order.run();
        for (const person of people) person.check(disk);
      }),
      { numRuns: schedules(200) },
    );
  });
});
