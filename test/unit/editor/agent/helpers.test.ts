import assert from 'node:assert/strict';
import { costOf } from '../../../../src/chat/conversation/conversationCost.ts';
import type { ChatEvent } from '../../../../src/formats/answer.ts';
import type { AnswerTurn, RunView } from '../../../../src/pages/chat/protocol.ts';
import { ChatWindow, type ChatWindowOptions, type ServedRequest } from '../../../support/chatWindow.ts';
import { eventually } from '../../../support/eventually.ts';
import {
  answersIn,
  CHEAP,
  ended,
  MAIN,
  reportOf,
  runWith,
  type ScriptedHelper,
  toolCall,
} from '../../../support/helpersModel.ts';
import type { Disk } from '../../../support/memoryStore.ts';

type Script = (served: ServedRequest) => AsyncIterable<ChatEvent> | Iterable<ChatEvent>;

const settings = { chatModel: 'main', agentCap: 1, agentMaxSteps: 50 };

describe('helpers of a run', () => {
  async function windowWith(
    helpers: readonly ScriptedHelper[],
    script: Script,
    options: ChatWindowOptions = {},
  ): Promise<ChatWindow> {
    const window = new ChatWindow({
      models: [MAIN, CHEAP],
      settings,
      agentTools: { deploy: async () => 'deployed' },
      answer: async function* (served) {
        if (served.helper === undefined) yield* runWith(served, helpers);
        else yield* script(served);
      },
      ...options,
    });
    await window.session.chat.chooseMode('agent');
    return window;
  }

  const run = ({ session }: ChatWindow): RunView => session.chat.runs.view ?? assert.fail('There is no run.');

  /** The step that has called helpers, with what the panel shows of them. */
  function stepOf({ session }: ChatWindow): AnswerTurn {
    const step = session.chat.shownTurns.find((turn) => turn.role === 'assistant');
    return step?.role === 'assistant' ? step : assert.fail('There is no step.');
  }

  const resultOf = (window: ChatWindow) => stepOf(window).toolCalls?.[0]?.result ?? '';
  const rowsOf = (window: ChatWindow) => stepOf(window).toolCalls?.[0]?.helpers ?? [];

  const nameOf = ({ request }: ServedRequest) => /Task of (\w+)/.exec(JSON.stringify(request.messages[0]))?.[1] ?? '';

  it('work at the same time with the cheapest model, and the run goes on with what they say', async () => {
    const waiting: string[] = [];
    const all = Promise.withResolvers<void>();
    const window = await windowWith([{ name: 'one' }, { name: 'two' }, { name: 'three' }], async function* (served) {
      waiting.push(nameOf(served));
      if (waiting.length === 3) all.resolve();
      await all.promise;
      yield* reportOf(served, `Report of ${nameOf(served)}`);
    });
    await window.session.chat.turns.send('Look at everything');
    assert.deepEqual(waiting.sort(), ['one', 'three', 'two']);
    assert.match(
      resultOf(window),
      /## one \(reader, cheap, 1 steps, \$[\d.]+\)\nReport of one\n\n## two .*\nReport of two/,
    );
    assert.deepEqual([run(window).state, window.requests.length], ['done', 5]);
    const ofHelpers = window.requests.filter(({ helper }) => helper !== undefined);
    assert.deepEqual(new Set(ofHelpers.map(({ request }) => request.model)), new Set(['cheap']));
    assert.equal(new Set(ofHelpers.map(({ helper }) => helper?.id)).size, 3);
    const tools = ofHelpers[0]?.request.tools?.map(({ name }) => name) ?? [];
    assert.ok(
      tools.includes('read_file') && !tools.includes('edit_file') && !tools.includes('run_helpers'),
      `${tools}`,
    );
  });

  it('cost what their rows, the run, and the chat show, also after a reload', async () => {
    const disk: Disk = new Map();
    const window = await windowWith([{ name: 'one' }, { name: 'two' }], (served) => reportOf(served, 'Found.'), {
      disk,
    });
    await window.session.chat.turns.send('Look');
    const rows = rowsOf(window);
    const ownSteps = window.session.chat.shownTurns.flatMap((turn) =>
      turn.role === 'assistant' ? (turn.figures?.cost ?? 0) : [],
    );
    const sum = [...ownSteps, ...rows.map(({ spent = 0 }) => spent)].reduce((total, cost) => total + cost, 0);
    const { conversation } = window.session.chat;
    assert.ok(rows.length === 2 && rows.every(({ spent = 0 }) => spent > 0));
    assert.equal(run(window).spent?.toFixed(9), sum.toFixed(9));
    assert.equal(costOf(conversation.value).cost?.toFixed(9), sum.toFixed(9));
    const again = new ChatWindow({ disk, models: [MAIN, CHEAP], agentTools: {}, areOthersAlive: false });
    await again.session.open(conversation.id);
    assert.deepEqual(rowsOf(again), rows);
  });

  it('are at most as many at the same time as the setting says', async () => {
    let [working, most] = [0, 0];
    const names = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name }));
    const script: Script = async function* (served) {
      working += 1;
      most = Math.max(most, working);
      await new Promise((resolve) => setImmediate(resolve));
      working -= 1;
      yield* reportOf(served, 'Done.');
    };
    const window = await windowWith(names, script, { settings: { ...settings, agentMaxHelpers: 2 } });
    await window.session.chat.turns.send('Look');
    assert.equal(most, 2);
    assert.equal(rowsOf(window).filter(({ state }) => state === 'done').length, 5);
  });

  it('that fail are told to the run, which goes on', async () => {
    const window = await windowWith([{ name: 'good' }, { name: 'bad' }], async function* (served) {
      if (nameOf(served) === 'bad') throw new Error('The service has refused it.');
      yield* reportOf(served, 'Found.');
    });
    await window.session.chat.turns.send('Look');
    assert.match(resultOf(window), /## bad .*\nIt did not finish: .*refused it/);
    assert.match(resultOf(window), /## good .*\nFound\./);
    assert.deepEqual([run(window).state, rowsOf(window).map(({ state }) => state)], ['done', ['done', 'failed']]);
  });

  it('with a budget that pays no step send nothing, and say what the step could cost', async () => {
    const window = await windowWith(
      [{ name: 'poor', model: 'cheap', budget_cents: 1 }],
      (served) => reportOf(served, 'Found.'),
      {
        models: [MAIN, { ...CHEAP, inputPrice: 50, outputPrice: 250 }],
      },
    );
    await window.session.chat.turns.send('Look');
    const [row] = rowsOf(window);
    assert.deepEqual([row?.state, row?.note, row?.steps.length], ['failed', 'Budget too small', 0]);
    assert.match(row?.fault ?? '', /^The budget of \$0\.0100 is less than the first step can cost: \$0\.\d+\.$/);
    assert.ok(resultOf(window).includes(`It did not finish: ${row?.fault}`), resultOf(window));
    assert.deepEqual([run(window).state, window.requests.length], ['done', 2]);
  });

  it('ask with their name, and Stop ends all of them', async () => {
    const script: Script = async function* (served) {
      if (answersIn(served) === 0) yield* toolCall('call_0', 'deploy', { by: nameOf(served) });
      yield* reportOf(served, '');
    };
    const window = await windowWith(
      [
        { name: 'one', role: 'editor' },
        { name: 'two', role: 'editor' },
      ],
      script,
    );
    const sent = window.session.chat.turns.send('Deploy');
    await eventually('the question', async () => window.session.chat.runs.view?.question !== undefined);
    const { question } = run(window);
    assert.ok(question?.type === 'approval' && ['one', 'two'].includes(question.helper ?? ''));
    window.session.chat.stop();
    await sent;
    assert.deepEqual(
      [run(window).state, run(window).question, window.session.chat.runs.isBusy],
      ['stopped', undefined, false],
    );
    assert.deepEqual(
      rowsOf(window).map(({ state }) => state),
      ['stopped', 'stopped'],
    );
  });

  it('do not ask for what was allowed to another one for the chat meanwhile', async () => {
    const deployed: unknown[] = [];
    const names = ['one', 'two', 'three'];
    const window = await windowWith(
      names.map((name) => ({ name, role: 'editor' })),
      async function* (served) {
        if (answersIn(served) === 0) yield* toolCall('call_0', 'deploy', {});
        yield* reportOf(served, '');
      },
      { agentTools: { deploy: async () => `${deployed.push(1)}` } },
    );
    const sent = window.session.chat.turns.send('Deploy');
    await eventually('the question', async () => window.session.chat.runs.view?.question !== undefined);
    await eventually('three helpers', async () => window.requests.filter(({ isEnded }) => isEnded).length === 4);
    const { question } = run(window);
    assert.ok(question?.type === 'approval');
    await window.session.chat.runs.receive({ type: 'decide', question: question.number, choice: 'chat' });
    await sent;
    assert.deepEqual([run(window).state, deployed.length], ['done', 3]);
  });

  it('report with the last step that the limit of steps allows', async () => {
    const window = await windowWith(
      [{ name: 'busy', role: 'editor' }],
      async function* (served) {
        if (served.request.toolChoice?.type === 'none') yield* reportOf(served, 'What I have found.');
        else yield* toolCall(`call_${answersIn(served)}`, 'deploy', { time: answersIn(served) });
        yield* ended(served, 20);
      },
      { settings: { ...settings, agentMaxSteps: 3 } },
    );
    const sent = window.session.chat.turns.send('Deploy');
    await eventually('the question', async () => window.session.chat.runs.view?.question !== undefined);
    const { question } = run(window);
    assert.ok(question?.type === 'approval');
    await window.session.chat.runs.receive({ type: 'decide', question: question.number, choice: 'chat' });
    await sent;
    assert.match(resultOf(window), /## busy \(editor, cheap, 3 steps, .*\)\nWhat I have found\.$/);
  });

  it('can be stopped one by one', async () => {
    const window = await windowWith([{ name: 'slow' }, { name: 'fast' }], async function* (served) {
      if (nameOf(served) === 'slow') {
        yield { type: 'textDelta', index: 0, text: 'I have begun.' };
        await served.whenStopped;
      }
      yield* reportOf(served, 'Found.');
    });
    const sent = window.session.chat.turns.send('Look');
    await eventually('the rows', async () => window.requests.length > 1 && rowsOf(window)[1]?.state === 'done');
    const slow = rowsOf(window).find(({ name }) => name === 'slow');
    await window.session.chat.runs.receive({ type: 'stopHelper', helperId: slow?.id ?? '' });
    await sent;
    assert.match(resultOf(window), /## slow .*\nIt did not finish: the user stopped it\. .*\nI have begun\./s);
    assert.equal(run(window).state, 'done');
  });

  it('go on where they were after the window was closed, and those that had ended do not begin again', async () => {
    const disk: Disk = new Map();
    const script: Script = async function* (served) {
      if (nameOf(served) === 'second' && answersIn(served) === 1) await served.whenStopped;
      if (nameOf(served) === 'second' && answersIn(served) === 0)
        yield* toolCall('call_0', 'list_files', { path: '.' });
      yield* reportOf(served, `Report of ${nameOf(served)}`);
    };
    const helpers = [{ name: 'first' }, { name: 'second' }];
    const window = await windowWith(helpers, script, { disk });
    void window.session.chat.turns.send('Look');
    await eventually('the second step', async () => window.requests.length === 4);
    const { id } = window.session.chat.conversation;
    window.session.chat.runs.interrupt();
    assert.deepEqual(
      disk.get(id)?.some(({ record }) => record.type === 'helper'),
      true,
    );
    const later = await windowWith(helpers, (served) => reportOf(served, `Later report of ${nameOf(served)}`), {
      disk: new Map([[id, [...(disk.get(id) ?? [])]]]),
      areOthersAlive: false,
    });
    await later.session.open(id);
    assert.equal(run(later).state, 'interrupted');
    assert.equal(stepOf(later).toolCalls?.[0]?.action?.state, 'interrupted');
    assert.deepEqual(
      rowsOf(later).map(({ state }) => state),
      ['done', 'waiting'],
    );
    await later.session.chat.runs.receive({ type: 'continueRun' });
    assert.equal(run(later).state, 'done');
    assert.match(resultOf(later), /\nReport of first\n\n## second .*\nLater report of second$/s);
    assert.equal(later.requests.filter(({ helper }) => helper !== undefined).length, 1);
  });
});
