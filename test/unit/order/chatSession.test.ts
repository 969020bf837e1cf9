/** A person in the chat, and everything that the chat awaits, in any order. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { conversationOf } from '../../../src/chat/conversation/conversation.ts';
import type { ConversationRecord } from '../../../src/chat/conversation/record.ts';
import { AnyOrder, type Step } from '../../support/anyOrder.ts';
import { ChatWindow, type ServedRequest } from '../../support/chatWindow.ts';
import type { Disk } from '../../support/memoryStore.ts';
import { runs } from '../../support/randomRuns.ts';
import { header, question } from '../chat/conversation/records.ts';

type Action = 'send' | 'sendTwice' | 'queue' | 'stop' | 'retry' | 'edit' | 'open' | 'new' | 'remove' | 'follow';

const ACTIONS: readonly Action[] = [
  ...(['send', 'send', 'send', 'sendTwice', 'queue', 'stop', 'stop', 'retry', 'edit', 'open', 'new'] as const),
  ...(['remove', 'follow'] as const),
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

/** A person in one window, with what must be true of it. */
class Person {
  readonly window: ChatWindow;
  readonly #order: AnyOrder;
  readonly #name: string;
  readonly sent: Sent[] = [];
  readonly stops: number[] = [];
  /** How often an answer was asked for again. */
  again = 0;
  readonly servedAt = new Map<ServedRequest, number>();

  constructor(name: string, order: AnyOrder, disk: Disk, limits: readonly boolean[]) {
    this.#name = name;
    this.#order = order;
    let asked = 0;
    this.window = new ChatWindow({
      disk,
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
    const { session } = this.window;
    const { turns, conversation } = session;
    const { entries } = conversation.value;
    switch (action) {
      case 'send':
        return turns.send(this.#text(number));
      case 'sendTwice': {
        const text = this.#text(number);
        return Promise.all([turns.send(text), turns.send(text)]);
      }
      case 'queue':
        return turns.sendNext(this.#text(number, { isQueued: true }));
      case 'stop':
        this.stops.push(this.#order.now);
        return session.stop();
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
        return session.open(number % 2 === 0 ? 'one' : 'two');
      case 'new':
        return session.startNew();
      case 'remove': {
        const last = entries.at(-1);
        return last && turns.remove(last.id);
      }
      case 'follow':
        return session.follow();
    }
  }

  #text(number: number, { isQueued = false, isEdit = false } = {}): string {
    const text = `${this.#name} ${number}`;
    const { id } = this.window.session.conversation;
    this.sent.push({ text, chat: id, at: this.#order.now, isQueued, isEdit });
    return text;
  }

  /** What is true at every moment. */
  look(): void {
    const { session, state, requests } = this.window;
    for (const request of requests) if (!this.servedAt.has(request)) this.servedAt.set(request, this.#order.now);
    assert.equal(state.isAsking ?? false, session.turns.isAsking, 'the panel does not show what is on its way');
    const open = requests.filter(({ isStopped, isEnded }) => !isStopped && !isEnded);
    if (open.length > 0) assert.ok(session.answers.areRunning, 'a request runs that cannot be stopped');
  }

  /** What is true when all has ended. */
  check(disk: Disk): void {
    const { session, requests, composed, failures } = this.window;
    assert.deepEqual(failures, []);
    assert.deepEqual([session.turns.isAsking, session.answers.areRunning], [false, false]);
    for (const { text, chat, at, isQueued, isEdit } of this.sent) {
      const served = requests.filter((request) => request.text === text);
      const isBack = composed.some((one) => one.split('\n\n').includes(text));
      assert.ok(served.length <= 1 + this.again, `${text} was asked ${served.length} times`);
      if (this.again === 0 && served.length === 0 && !isEdit) {
        assert.ok(isBack || isIn(disk, text).length > 0, `${text} is lost`);
      }
      for (const one of served) {
        const servedAt = this.servedAt.get(one) ?? 0;
        const late = this.stops.filter((stop) => at < stop && stop < servedAt);
        if (!isQueued && this.again === 0) assert.deepEqual(late, [], `${text} was asked after a stop`);
      }
      assert.ok(
        isIn(disk, text).every((id) => id === chat),
        `${text} is in another chat`,
      );
    }
    const { value } = session.conversation;
    const records = disk.get(session.conversation.id)?.map(({ record }) => record) ?? [];
    const stored = conversationOf(session.conversation.id, records);
    // Windows that write at the same moment see each other's records later.
    const textsOf = ({ all }: typeof value) => all.map((entry) => `${entry.id}: ${entry.text}`).sort();
    assert.deepEqual(textsOf(stored), textsOf(value));
  }
}

/** The chats that contain a question. */
function isIn(disk: Disk, text: string): readonly string[] {
  const asks = ({ record }: { readonly record: ConversationRecord }) =>
    record.type === 'question' && record.text === text;
  return [...disk].filter(([, records]) => records.some(asks)).map(([id]) => id);
}

function chats(): Disk {
  return new Map(
    ['one', 'two'].map((id) => [
      id,
      [header(id), question(`q-${id}`, id, { parent: null })].map((record) => ({ record, by: 'earlier' })),
    ]),
  );
}

describe('a chat, in any order of what is done and awaited', () => {
  const actions = fc.array(fc.tuple(fc.constantFrom(...ACTIONS), fc.nat(1)), { minLength: 2, maxLength: 8 });
  const limits = fc.array(fc.boolean(), { maxLength: 3 });

  it('asks each question once, in its chat, or puts it back, and ends with Stop', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), actions, limits, async (scheduler, done, allowed) => {
        const order = new AnyOrder(scheduler);
        const disk = chats();
        const person = new Person('a', order, disk, allowed);
        order.plan(done.map(([action], number) => person.step(action, number)));
        await order.run(() => person.look());
        person.check(disk);
      }),
      { numRuns: runs(300) },
    );
  });

  it('asks each question once, also if two windows show the same chats', async () => {
    const both = fc.array(fc.tuple(fc.constantFrom(...ACTIONS), fc.nat(1)), { minLength: 2, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), both, async (scheduler, done) => {
        const order = new AnyOrder(scheduler);
        const disk = chats();
        const people = ['a', 'b'].map((name) => new Person(name, order, disk, []));
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
      { numRuns: runs(200) },
    );
  });
});
