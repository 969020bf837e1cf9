import assert from 'node:assert/strict';
import { BranchActions } from '../../../../src/editor/chat/branchActions.ts';
import type { ChatEvent } from '../../../../src/formats/answer.ts';
import type { RunQuestion, RunView } from '../../../../src/pages/chat/protocol.ts';
import {
  ChatWindow,
  type ChatWindowOptions,
  type ServedRequest,
  type ToolOfTest,
} from '../../../support/chatWindow.ts';
import { eventually } from '../../../support/eventually.ts';

/** A model that calls a tool with its first answers, and then reports. */
async function* callsThenReports({ request }: ServedRequest, calls: number): AsyncGenerator<ChatEvent> {
  const asked = request.messages.filter(({ role }) => role === 'assistant').length;
  if (asked < calls) {
    const id = `call_${asked}`;
    yield { type: 'toolCallStart', index: 0, id, name: 'deploy' };
    yield { type: 'toolCallDelta', index: 0, arguments: `{"number": ${asked}}` };
    yield { type: 'toolCallEnd', index: 0 };
  } else yield { type: 'textDelta', index: 0, text: 'Done.' };
  yield { type: 'finish', reason: 'stop' };
}

describe('a run of the agent', () => {
  /** How often the tool has run. */
  let deployed: number;
  let tool: ToolOfTest;

  beforeEach(() => {
    deployed = 0;
    tool = async () => {
      deployed += 1;
      return 'deployed';
    };
  });

  async function windowWith(options: ChatWindowOptions & { readonly calls?: number } = {}): Promise<ChatWindow> {
    const window = new ChatWindow({
      agentTools: { deploy: (...given) => tool(...given) },
      answer: (request) => callsThenReports(request, options.calls ?? 1),
      ...options,
    });
    await window.session.chat.chooseMode('agent');
    return window;
  }

  const run = ({ session }: ChatWindow): RunView => session.chat.runs.view ?? assert.fail('There is no run.');

  async function asked(window: ChatWindow): Promise<RunQuestion & { readonly type: 'approval' }> {
    await eventually('the question', async () => window.session.chat.runs.view?.question !== undefined);
    const { question } = run(window);
    return question?.type === 'approval' ? question : assert.fail('It asks something else.');
  }

  async function decide(window: ChatWindow, choice: 'once' | 'deny'): Promise<void> {
    await window.session.chat.runs.receive({ type: 'decide', question: (await asked(window)).number, choice });
  }

  /** A promise for each time that something is awaited, which a test resolves. */
  function gate(what: string) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    let isOpen = false;
    const delay = async (name: string) => {
      if (!isOpen || name !== what) return undefined;
      reached.resolve();
      return promise;
    };
    return {
      delay,
      reached: reached.promise,
      close: () => {
        isOpen = true;
      },
      open: () => {
        isOpen = false;
        resolve();
      },
    };
  }

  it('runs nothing that was allowed if it is stopped while the beginning of the call is written', async () => {
    const chat = { id: '' };
    const writing = gate('write');
    const window = await windowWith({
      delay: (what) => writing.delay(what === `write ${chat.id}` ? 'write' : what),
    });
    chat.id = window.session.chat.conversation.id;
    const sent = window.session.chat.turns.send('Deploy it');
    await asked(window);
    writing.close();
    await decide(window, 'once');
    await writing.reached;
    window.session.chat.stop();
    writing.open();
    await sent;
    assert.deepEqual([deployed, run(window).state, window.requests.length], [0, 'stopped', 1]);
    const again = window.session.chat.runs.receive({ type: 'continueRun' });
    await decide(window, 'once');
    await again;
    assert.deepEqual([deployed, run(window).state], [1, 'done']);
  });

  it('sends no request if it is stopped while it reads what other windows have written', async () => {
    let hasAllowed = false;
    const reading = gate('read');
    const window = await windowWith({
      delay: (what) => reading.delay(hasAllowed && what.startsWith('read') ? 'read' : ''),
    });
    const sent = window.session.chat.turns.send('Deploy it');
    await asked(window);
    hasAllowed = true;
    reading.close();
    await decide(window, 'once');
    await reading.reached;
    window.session.chat.stop();
    reading.open();
    await sent;
    assert.deepEqual([deployed, run(window).state, window.requests.length], [1, 'stopped', 1]);
  });

  it('runs a denied call once that is allowed twice, and shows that it runs', async () => {
    const deploying = Promise.withResolvers<void>();
    const window = await windowWith();
    const sent = window.session.chat.turns.send('Deploy it');
    await decide(window, 'deny');
    await sent;
    tool = async () => {
      deployed += 1;
      await deploying.promise;
      return 'deployed';
    };
    const allow = () => window.session.chat.runs.receive({ type: 'allowOnce', callId: 'call_0' });
    const allowed = [allow(), allow()];
    await eventually('the run', async () => run(window).state === 'running');
    await eventually('the call', async () => deployed > 0);
    deploying.resolve();
    await Promise.all(allowed);
    assert.deepEqual([deployed, run(window).state, window.requests.length], [1, 'done', 3]);
  });

  it('ends a denied call that was allowed with Stop, and does not go on', async () => {
    const window = await windowWith();
    const sent = window.session.chat.turns.send('Deploy it');
    await decide(window, 'deny');
    await sent;
    tool = (_, signal) =>
      new Promise((resolve) => {
        deployed += 1;
        signal.addEventListener('abort', () => resolve('stopped'));
      });
    const allowed = window.session.chat.runs.receive({ type: 'allowOnce', callId: 'call_0' });
    await eventually('the call', async () => deployed > 0);
    window.session.chat.stop();
    await allowed;
    assert.deepEqual([run(window).state, window.requests.length, window.session.chat.runs.isBusy], ['done', 2, false]);
  });

  it('goes on with the result of a call that was allowed after all, also if it has ended meanwhile', async () => {
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let answers = 0;
    const window = await windowWith({
      answer: async function* (request) {
        answers += 1;
        if (answers === 2) await first.promise;
        yield* callsThenReports(request, 1);
      },
    });
    const sent = window.session.chat.turns.send('Deploy it');
    await decide(window, 'deny');
    await eventually('the second request', async () => answers === 2);
    tool = async () => {
      deployed += 1;
      await second.promise;
      return 'deployed';
    };
    const allowed = window.session.chat.runs.receive({ type: 'allowOnce', callId: 'call_0' });
    await eventually('the call', async () => deployed > 0);
    first.resolve();
    await sent;
    assert.equal(window.requests.length, 2);
    second.resolve();
    await allowed;
    assert.equal(window.requests.length, 3);
    assert.match(window.requests[2]?.text ?? '', /I have allowed this after all/);
  });

  it('can be stopped while it is checked whether it may go on', async () => {
    const reading = gate('read');
    const window = await windowWith({ delay: (what) => reading.delay(what.split(' ')[0] ?? '') });
    const sent = window.session.chat.turns.send('Deploy it');
    await asked(window);
    window.session.chat.stop();
    await sent;
    reading.close();
    const again = window.session.chat.runs.receive({ type: 'continueRun' });
    await reading.reached;
    assert.equal(run(window).state, 'running');
    window.session.chat.stop();
    reading.open();
    await again;
    assert.deepEqual([run(window).state, window.requests.length, deployed], ['stopped', 1, 0]);
  });

  it('puts a message back into the composer that no step follows', async () => {
    const window = await windowWith();
    const sent = window.session.chat.turns.send('Deploy it');
    await asked(window);
    await window.session.chat.runs.receive({ type: 'addMessage', text: 'To the test system' });
    window.session.chat.stop();
    await sent;
    await window.session.chat.runs.receive({ type: 'addMessage', text: 'Soon' });
    assert.deepEqual(window.composed, ['To the test system', 'Soon\n\nTo the test system']);
  });

  it('puts a message back into the composer that arrives while an allowed call is being stopped', async () => {
    const deploying = Promise.withResolvers<void>();
    const window = await windowWith();
    const sent = window.session.chat.turns.send('Deploy it');
    await decide(window, 'deny');
    await sent;
    tool = async () => {
      deployed += 1;
      await deploying.promise;
      return 'deployed';
    };
    const allowed = window.session.chat.runs.receive({ type: 'allowOnce', callId: 'call_0' });
    await eventually('the call', async () => deployed > 0);
    window.session.chat.stop();
    await window.session.chat.runs.receive({ type: 'addMessage', text: 'To the test system' });
    deploying.resolve();
    await allowed;
    assert.deepEqual([window.composed, window.requests.length], [['To the test system'], 2]);
  });

  it('goes on with a message that arrives right after its last step', async () => {
    const window = await windowWith({ calls: 0 });
    await window.session.chat.turns.send('Hello');
    await window.session.chat.runs.receive({ type: 'addMessage', text: 'And now?' });
    assert.deepEqual([window.requests.map(({ text }) => text), run(window).state], [['Hello', 'And now?'], 'done']);
  });

  it('leaves nothing in the panel when its turn, the only one, is restored, and lets a new chat begin', async () => {
    const window = await windowWith();
    const { session } = window;
    const sent = session.chat.turns.send('Deploy it');
    await decide(window, 'once');
    await sent;
    assert.equal(window.state.run?.state, 'done');
    const { id: runId } = run(window);
    await session.chat.runs.receive({ type: 'restoreRun', runId });
    await session.chat.runs.receive({ type: 'confirmRestore', files: true, chat: true });
    assert.deepEqual([window.state.run, window.state.turns, window.composed], [undefined, [], ['Deploy it']]);
    const offered = window.posted.findLast(({ type }) => type === 'notice');
    const noticeId = offered?.type === 'notice' ? offered.notice.id : '';
    const before = session.chat.conversation.id;
    await session.startNew();
    assert.notEqual(session.chat.conversation.id, before);
    assert.deepEqual(
      window.posted.filter(({ type }) => type === 'noticeWithdrawn'),
      [{ type: 'noticeWithdrawn', noticeId }],
    );
  });

  it('is deleted with its question: all steps, and what was added between them, but not what follows', async () => {
    const window = await windowWith({ calls: 2 });
    const { session } = window;
    const sent = session.chat.turns.send('Deploy it');
    await asked(window);
    await session.chat.runs.receive({ type: 'addMessage', text: 'And tell me when' });
    await decide(window, 'once');
    await decide(window, 'once');
    await sent;
    const { id } = run(window);
    await session.chat.chooseMode('ask');
    await session.chat.turns.send('Thanks');
    const texts = () => session.chat.shownTurns.map((turn) => turn.role === 'user' && turn.text).filter(Boolean);
    assert.deepEqual(texts(), ['Deploy it', 'And tell me when', 'Thanks']);
    new BranchActions(session.chat).remove(id);
    assert.deepEqual([texts(), session.chat.shownTurns.length], [['Thanks'], 2]);
  });

  it('is shown as long as its turn is there, whether that is deleted, restored, or brought back', async () => {
    const window = await windowWith({ calls: 0 });
    const { session } = window;
    await session.chat.turns.send('Deploy it');
    const { id } = run(window);
    const shown = () => window.state.run?.id;
    const undo = () => {
      const offered = window.posted.findLast(({ type }) => type === 'notice');
      return session.undo.undo(offered?.type === 'notice' ? offered.notice.id : '');
    };
    new BranchActions(session.chat).remove(id);
    assert.equal(shown(), undefined);
    await undo();
    assert.equal(shown(), id);
    await session.chat.runs.receive({ type: 'restoreRun', runId: id });
    await session.chat.runs.receive({ type: 'confirmRestore', files: false, chat: true });
    assert.equal(shown(), undefined);
    await undo();
    assert.equal(shown(), id);
  });
});
