/** Helpers of a run with what a person decides, in any order of what is done and awaited. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { ChatEvent } from '../../../src/formats/answer.ts';
import type { HelperView } from '../../../src/pages/chat/protocol.ts';
import { AnyOrder, type Step } from '../../support/anyOrder.ts';
import { ChatWindow, type ServedRequest } from '../../support/chatWindow.ts';
import { answersIn, CHEAP, ended, MAIN, reportOf, runWith, toolCall } from '../../support/helpersModel.ts';
import { schedules } from '../../support/randomRuns.ts';

type Action = 'allow' | 'deny' | 'stop' | 'stopHelper' | 'continue' | 'cancel';

const ACTIONS: readonly Action[] = ['allow', 'allow', 'allow', 'deny', 'stop', 'stopHelper', 'continue', 'cancel'];
const CAP = 0.5;
const MOST = 2;
const HELPERS = ['a', 'b', 'c'].map((name) => ({ name, task: `Task of ${name}`, role: 'editor' }));

class Person {
  readonly window: ChatWindow;
  readonly #order: AnyOrder;

  constructor(order: AnyOrder) {
    this.#order = order;
    this.window = new ChatWindow({
      models: [MAIN, CHEAP],
      settings: { chatModel: 'main', agentCap: CAP, agentMaxSteps: 50, agentMaxHelpers: MOST },
      delay: order.delay,
      agentTools: { deploy: () => order.delay('deploy').then(() => 'deployed') },
      answer: (served) => this.#answer(served),
    });
  }

  step(action: Action, number: number): Step {
    return { what: `${action} ${number}`, act: () => this.#do(action) };
  }

  #do(action: Action): unknown {
    const { session } = this.window;
    const { question } = session.chat.runs.view ?? {};
    switch (action) {
      case 'allow':
      case 'deny':
        if (question?.type !== 'approval') return undefined;
        return session.chat.runs.receive({
          type: 'decide',
          question: question.number,
          choice: action === 'allow' ? 'once' : 'deny',
        });
      case 'stop':
        return session.chat.stop();
      case 'stopHelper':
        return session.chat.runs.receive({ type: 'stopHelper', helperId: this.rows[0]?.id ?? '' });
      case 'continue':
        return session.chat.runs.receive({ type: 'continueRun' });
      case 'cancel':
        return session.chat.runs.receive({ type: 'cancelCommand', callId: 'call_0' });
    }
  }

  async *#answer(served: ServedRequest): AsyncGenerator<ChatEvent> {
    await this.#order.delay('answer');
    if (served.helper === undefined) return yield* runWith(served, HELPERS);
    if (answersIn(served) > 0) return yield* reportOf(served, 'Report.');
    yield* toolCall('call_0', 'deploy', { by: served.helper.id });
    yield* ended(served, 40);
  }

  get rows(): readonly HelperView[] {
    const turns = this.window.session.chat.shownTurns;
    return turns.flatMap((turn) =>
      turn.role === 'assistant' ? (turn.toolCalls ?? []).flatMap(({ helpers = [] }) => helpers) : [],
    );
  }

  /** What is true at every moment. */
  look(): void {
    const { session, requests } = this.window;
    const asking = requests.filter(({ helper, isEnded, isStopped }) => helper !== undefined && !isEnded && !isStopped);
    assert.ok(asking.length <= MOST, 'more helpers work than the setting allows');
    if (asking.length > 0) assert.ok(session.chat.runs.isBusy, 'a helper works that cannot be stopped');
    const { spent = 0 } = session.chat.runs.view ?? {};
    assert.ok(spent <= CAP, `${spent} exceeds the cap`);
  }
}

describe('helpers, in any order of what is done and awaited', () => {
  const actions = fc.array(fc.constantFrom(...ACTIONS), { maxLength: 12 });

  it('end with Stop, are as many as the setting allows, and cost no more than the cap', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), actions, async (scheduler, done) => {
        const order = new AnyOrder(scheduler);
        const person = new Person(order);
        const { session } = person.window;
        order.plan([{ what: 'agent', act: () => session.chat.chooseMode('agent') }]);
        await order.run();
        order.plan([
          { what: 'send', act: () => session.chat.turns.send('Deploy') },
          ...done.map((action, number) => person.step(action, number)),
        ]);
        await order.run(() => person.look(), { mayWait: () => session.chat.runs.view?.state === 'waiting' });
        session.chat.stop();
        await order.run();
        assert.equal(session.chat.runs.isBusy, false);
        assert.ok(!person.rows.some(({ state }) => state === 'running' || state === 'waiting'), 'a row still works');
        assert.deepEqual(person.window.failures, []);
      }),
      { numRuns: schedules(50) },
    );
  });
});
