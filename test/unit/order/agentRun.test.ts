/** Runs of the agent with what a person decides, in any order of what is done and awaited. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { ChatEvent } from '../../../src/formats/answer.ts';
import type { RunView } from '../../../src/pages/chat/protocol.ts';
import { AnyOrder, moments, type Step } from '../../support/anyOrder.ts';
import { ChatWindow, type ServedRequest } from '../../support/chatWindow.ts';
import type { Disk } from '../../support/memoryStore.ts';
import { schedules } from '../../support/randomRuns.ts';

type Action =
  | 'send'
  | 'allow'
  | 'deny'
  | 'stop'
  | 'stopAll'
  | 'continue'
  | 'allowDenied'
  | 'message'
  | 'cancel'
  | 'new'
  | 'open';

const ACTIONS: readonly Action[] = [
  ...(['send', 'send', 'allow', 'allow', 'allow', 'deny', 'deny', 'stop', 'continue', 'allowDenied'] as const),
  ...(['allowDenied', 'message', 'cancel', 'new', 'open', 'open', 'stopAll'] as const),
];

/** The most calls of a run. */
const CALLS = 2;

/** When something was done in a chat. */
interface Moment {
  readonly chat: string;
  readonly at: number;
}

/** What a tool has done. */
interface ToolRun {
  readonly chat: string;
  readonly call: string;
  readonly beganAt: number;
  isStopped: boolean;
  isEnded: boolean;
}

class Person {
  readonly window: ChatWindow;
  readonly #order: AnyOrder;
  readonly #disk: Disk = new Map();
  readonly #tools: ToolRun[] = [];
  /** The questions, with their chats. */
  readonly #sent = new Map<string, string>();
  readonly #messages: string[] = [];
  /** When a call was allowed or denied, by its text. */
  readonly #allowed = new Map<string, number>();
  readonly #denied = new Map<string, number>();
  readonly #stops: Moment[] = [];
  readonly #servedAt = new Map<ServedRequest, number>();
  /** When something was begun that a stop before it does not end. */
  readonly #begins: Moment[] = [];
  readonly #chats = new Set<string>();

  constructor(order: AnyOrder) {
    this.#order = order;
    this.window = new ChatWindow({
      disk: this.#disk,
      delay: order.delay,
      agentTools: { deploy: (input, signal) => this.#deploy(JSON.stringify(input), signal) },
      answer: (request) => this.#answer(request),
    });
  }

  step(action: Action, number: number): Step {
    return { what: `${action} ${number}`, act: () => this.#do(action, number) };
  }

  #do(action: Action, number: number): unknown {
    const { session } = this.window;
    const question = session.chat.runs.view?.question;
    switch (action) {
      case 'send': {
        const text = `question ${number}`;
        this.#sent.set(text, session.chat.id);
        this.#begins.push(this.#now);
        return session.chat.turns.send(text);
      }
      case 'allow':
      case 'deny': {
        if (question?.type !== 'approval') return undefined;
        const decided = action === 'allow' ? this.#allowed : this.#denied;
        decided.set(question.input ?? '', this.#order.now);
        const choice = action === 'allow' ? 'once' : 'deny';
        return session.chat.runs.receive({ type: 'decide', question: question.number, choice });
      }
      case 'stop':
        this.#stops.push(this.#now);
        return session.chat.stop();
      case 'stopAll':
        for (const chat of this.#chats) this.#stops.push({ chat, at: this.#order.now });
        return this.window.chats.stopAll();
      case 'open': {
        const others = [...this.#chats].filter((id) => id !== session.chat.id);
        const other = others[number % Math.max(1, others.length)];
        return other && session.open(other);
      }
      case 'continue':
        this.#begins.push(this.#now);
        return session.chat.runs.receive({ type: 'continueRun' });
      case 'allowDenied': {
        const callId = this.#deniedCall;
        if (callId === undefined) return undefined;
        this.#begins.push(this.#now);
        return session.chat.runs.receive({ type: 'allowOnce', callId });
      }
      case 'message': {
        const text = `message ${number}`;
        this.#messages.push(text);
        this.#begins.push(this.#now);
        return session.chat.runs.receive({ type: 'addMessage', text });
      }
      case 'cancel':
        return session.chat.runs.receive({ type: 'cancelCommand', callId: 'call_0' });
      case 'new':
        return session.startNew();
    }
  }

  get #now(): Moment {
    return { chat: this.window.session.chat.id, at: this.#order.now };
  }

  get #deniedCall(): string | undefined {
    const { entries } = this.window.session.chat.conversation.value;
    const calls = entries.flatMap((entry) => (entry.role === 'assistant' ? (entry.toolCalls ?? []) : []));
    return calls.findLast(({ action }) => action?.denied?.by === 'user')?.id;
  }

  /** A model that calls a tool with its first answers to a question, and then reports. */
  async *#answer({ request, text }: ServedRequest): AsyncGenerator<ChatEvent> {
    await this.#order.delay('answer');
    const asked = request.messages.filter(({ role }) => role === 'assistant').length;
    if (asked < CALLS) {
      const question =
        [...this.#sent.keys()].findLast((one) => JSON.stringify(request.messages).includes(`"${one}"`)) ?? text;
      yield { type: 'toolCallStart', index: 0, id: `${question} call_${asked}`, name: 'deploy' };
      yield { type: 'toolCallDelta', index: 0, arguments: JSON.stringify({ question, asked }) };
      yield { type: 'toolCallEnd', index: 0 };
    } else yield { type: 'textDelta', index: 0, text: 'Done.' };
    await this.#order.delay('answer');
    yield { type: 'finish', reason: 'stop' };
  }

  async #deploy(call: string, signal: AbortSignal): Promise<string> {
    const { question } = JSON.parse(call) as { readonly question: string };
    const run: ToolRun = {
      chat: this.#sent.get(question) ?? '',
      call,
      beganAt: this.#order.now,
      isStopped: signal.aborted,
      isEnded: false,
    };
    this.#tools.push(run);
    signal.addEventListener('abort', () => {
      run.isStopped = true;
    });
    await this.#order.delay('deploy');
    run.isEnded = true;
    return 'deployed';
  }

  /** What is true at every moment. */
  look(): void {
    const { session, requests, chats } = this.window;
    this.#chats.add(session.chat.id);
    for (const request of requests) if (!this.#servedAt.has(request)) this.#servedAt.set(request, this.#order.now);
    const isGoingOn = (one: { readonly isEnded: boolean; readonly isStopped: boolean }) =>
      !one.isEnded && !one.isStopped;
    const acting = [...this.#tools, ...requests].filter(isGoingOn).map(({ chat }) => chat);
    for (const chat of acting) {
      assert.ok(
        chats.running.some(({ id }) => id === chat),
        'something runs that cannot be stopped',
      );
    }
    const { state } = session.chat.runs.view ?? ({} as Partial<RunView>);
    if (acting.includes(session.chat.id)) {
      assert.ok(state === 'running' || state === 'waiting', `what runs is shown as ${state}`);
    }
    const asking = requests.filter(isGoingOn).map(({ chat }) => chat);
    assert.equal(new Set(asking).size, asking.length, 'two requests of a chat run at the same time');
    assert.deepEqual(this.window.state.running ?? [], chats.running, 'the panel does not show what runs');
  }

  /** Whether everything that runs waits for the person. */
  get isWaiting(): boolean {
    return this.window.chats.running.every(({ isWaiting }) => isWaiting === true);
  }

  /** What is true when all that can go on without the person has ended. */
  check(): void {
    const { failures } = this.window;
    assert.deepEqual(failures, []);
    assert.equal(this.isWaiting, true, 'something seems to run');
    for (const { chat, call, beganAt } of this.#tools) {
      const same = this.#tools.filter((one) => one.call === call);
      assert.equal(same.length, 1, `${call} has run twice`);
      const asked = [...this.#allowed].find(([input]) => sameCall(input, call));
      const denied = [...this.#denied].find(([input]) => sameCall(input, call));
      assert.ok(asked !== undefined || denied !== undefined, `${call} was not allowed`);
      this.#beganBeforeStop(call, { chat, at: beganAt });
    }
    for (const [{ chat, text }, at] of this.#servedAt) this.#beganBeforeStop(text, { chat, at });
  }

  /** A question or a message is asked, in the chat, or back in the composer. */
  checkTexts(): void {
    const { requests, composed, posted, chats } = this.window;
    const asked = requests.map(({ request }) => JSON.stringify(request.messages)).join('\n');
    const drafts = [...this.#chats].map((id) => chats.live(id)?.composition.draft ?? '');
    const inChat = JSON.stringify([...this.#disk, posted]);
    for (const text of [...this.#sent.keys(), ...this.#messages]) {
      const isBack = [...composed, ...drafts].some((one) => one.split('\n\n').includes(text));
      assert.ok(isBack || asked.includes(text) || inChat.includes(text), `${text} is lost`);
    }
  }

  /** Nothing begins after a stop, unless the person has begun something after it. */
  #beganBeforeStop(what: string, { chat, at }: Moment): void {
    const stop = this.#stops.findLast((one) => one.chat === chat && one.at < at);
    if (stop === undefined) return;
    assert.ok(
      this.#begins.some((begin) => begin.chat === chat && begin.at >= stop.at && begin.at <= at),
      `${what} has begun after a stop`,
    );
  }
}

/** The text of a question has the arguments with line breaks. */
function sameCall(input: string, call: string): boolean {
  return JSON.stringify(JSON.parse(input)) === call;
}

describe('runs of the agent in several chats, in any order of what is done and awaited', () => {
  it('runs each call once, as it was decided, and nothing after a stop', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), moments(fc.constantFrom(...ACTIONS)), async (scheduler, done) => {
        const order = new AnyOrder(scheduler);
        const person = new Person(order);
        order.plan([{ what: 'agent', act: () => person.window.session.chat.chooseMode('agent') }]);
        await order.run();
        let number = 0;
        for (const together of [['send'] as const, ...done]) {
          for (const action of together) {
            order.plan([person.step(action, number)]);
            number += 1;
          }
          await order.run(() => person.look(), { mayWait: () => person.isWaiting });
        }
        person.check();
        person.window.chats.stopAll();
        await order.run();
        assert.deepEqual(person.window.chats.running, []);
        person.checkTexts();
      }),
      { numRuns: schedules(150) },
    );
  });
});
