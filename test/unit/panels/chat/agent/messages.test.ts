/** What the panel sends and announces while the agent acts. */
import assert from 'node:assert/strict';
import type { ChatPanelMessage } from '../../../../../src/pages/chat/panelMessages.ts';
import type {
  AnswerTurn,
  ChatHostMessage,
  ChatState,
  RunAction,
  RunView,
} from '../../../../../src/pages/chat/protocol.ts';
import { announcementFor } from '../../../../../src/panels/chat/announcements.ts';
import { reduce } from '../../../../../src/panels/chat/reduce.ts';
import { ChatStore } from '../../../../../src/panels/chat/store.ts';
import { chatState, question, reply } from '../state.ts';
import { runView } from './run.ts';

function acting(run: Partial<RunView>, rest: Partial<ChatState> = {}): ChatState {
  return chatState({ mode: 'agent', turns: [question('q')], run: runView(run), ...rest });
}

function storeWith(state: ChatState, draft: string) {
  const posted: ChatPanelMessage[] = [];
  let receive: (message: ChatHostMessage) => void = () => assert.fail('The panel does not listen.');
  const store = new ChatStore(
    {
      post: (message) => posted.push(message),
      listen: (listener) => {
        receive = listener;
        return () => undefined;
      },
      kept: () => ({ draft }),
      keep: () => undefined,
    },
    { schedule: (flush) => flush(), now: () => 0 },
  );
  store.start();
  receive({ type: 'state', state });
  posted.length = 0;
  return { store, posted };
}

const DRAFTED = { type: 'draft', text: '' } as const;

describe('a message during an agent run', () => {
  for (const state of ['running', 'waiting'] as const) {
    it(`is sent with the next step: ${state}`, () => {
      const { store, posted } = storeWith(acting({ state }), ' Use tabs. ');
      assert.equal(store.sending.isPossible.value, true);
      store.sending.send();
      assert.deepEqual(posted, [{ type: 'addMessage', text: 'Use tabs.' }, DRAFTED]);
      assert.equal(store.queue.text.value, '');
      assert.equal(store.announcement.value.text, 'Added. It is sent with the next step.');
      assert.equal(store.composition.draft.value, '');
    });
  }

  it('is not sent if it is empty', () => {
    const { store, posted } = storeWith(acting({}), '  ');
    assert.equal(store.sending.isPossible.value, false);
    store.sending.send();
    assert.deepEqual(posted, []);
  });

  it('continues a run that was stopped for repeating itself', () => {
    const loop = { kind: 'sameCall', detail: 'exit 1', steps: [] } as const;
    const { store, posted } = storeWith(acting({ state: 'stopped', loop }), 'Install it first.');
    store.sending.send();
    assert.deepEqual(posted, [{ type: 'addMessage', text: 'Install it first.' }, { type: 'continueRun' }, DRAFTED]);
  });

  it('is a new question after the run', () => {
    for (const state of ['done', 'stopped', 'interrupted'] as const) {
      const { store, posted } = storeWith(acting({ state }), 'And now?');
      store.sending.send();
      assert.deepEqual(posted[0], { type: 'send', text: 'And now?' }, state);
    }
  });

  it('keeps the chat busy between two steps', () => {
    assert.equal(storeWith(acting({}), '').store.busy.value, true);
    assert.equal(storeWith(acting({ state: 'done' }), '').store.busy.value, false);
  });

  it('stops the run between two steps and while it waits', () => {
    for (const state of ['running', 'waiting'] as const) {
      const { store, posted } = storeWith(acting({ state }), '');
      store.stop();
      assert.deepEqual(posted, [{ type: 'stop' }]);
    }
    const { store, posted } = storeWith(acting({ state: 'done' }), '');
    store.stop();
    assert.deepEqual(posted, []);
  });
});

describe('announcements during an agent run', () => {
  const step = (state: RunAction['state'], id = 's'): AnswerTurn =>
    reply(id, {
      run: 'q',
      status: 'complete',
      toolCalls: [
        {
          id: 'c',
          name: 'command',
          arguments: '{}',
          action: { kind: 'command', object: 'npm test', state, ...(state === 'done' && { exitCode: 0 }) },
        },
      ],
      figures: { outputTokens: 1, cost: 0.04, estimated: false },
    });
  const said = (state: ChatState, message: ChatHostMessage) =>
    announcementFor(state, reduce(state, message), message, 0);

  it('include each step once, when it is finished', () => {
    const running = acting({}, { turns: [question('q'), step('running')] });
    assert.equal(said(running, { type: 'turnChanged', turn: step('running') }), undefined);
    const over: ChatHostMessage = { type: 'turnChanged', turn: step('done') };
    assert.equal(said(running, over), 'Step 1, npm test, exit 0, 4 cents');
    const done = acting({}, { turns: [question('q'), step('done')] });
    assert.equal(said(done, over), undefined);
  });

  it('include the beginning of the first step only', () => {
    const first: ChatHostMessage = { type: 'turnAdded', turn: reply('s', { run: 'q' }) };
    assert.equal(said(acting({}), first), 'Answering.');
    const later: ChatHostMessage = { type: 'turnAdded', turn: reply('s2', { run: 'q' }) };
    assert.equal(said(acting({}, { turns: [question('q'), step('done')] }), later), undefined);
  });

  it('include the report and that the run was stopped', () => {
    const report = reply('r', { run: 'q', status: 'streaming', text: 'All' });
    const state = acting({}, { turns: [question('q'), step('done'), report] });
    assert.equal(said(state, { type: 'turnChanged', turn: { ...report, status: 'complete' } }), 'Answer complete.');
    assert.equal(said(state, { type: 'change', change: { run: runView({ state: 'stopped' }) } }), 'Stopped.');
    const loop = { kind: 'sameCall', detail: 'exit 1', steps: [] } as const;
    assert.equal(said(state, { type: 'change', change: { run: runView({ state: 'stopped', loop }) } }), undefined);
  });
});
