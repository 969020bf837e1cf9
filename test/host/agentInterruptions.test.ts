import assert from 'node:assert/strict';
import { Checkpoint } from '../../src/editor/agent/checkpoints.ts';
import type { Services } from '../../src/editor/services.ts';
import type { ChatRequest } from '../../src/formats/conversation.ts';
import type { HelperView, RunView } from '../../src/pages/chat/protocol.ts';
import { ScriptedConnection } from '../support/editor/scriptedConnection.ts';
import { eventually } from '../support/eventually.ts';
import type { ScriptedModel, ScriptedStep } from '../support/scriptedModel.ts';
import { activated } from './extension.ts';

describe('a run of the agent that is interrupted', () => {
  let services: Services;
  let connection: ScriptedConnection;
  let model: ScriptedModel;

  beforeEach(async () => {
    services = await activated();
    connection = await ScriptedConnection.open(services);
    model = connection.model;
    await services.session.startNew();
    await services.session.chat.chooseMode('agent');
  });
  afterEach(async () => {
    services.session.chat.stop();
    await services.session.chat.chooseMode('ask');
    await connection.close();
  });

  const view = (): RunView => services.session.chat.runs.view ?? assert.fail('There is no run.');
  const asks = () => eventually('the question', async () => services.session.chat.runs.view?.question !== undefined);
  const textIn = (request: ChatRequest | undefined) => JSON.stringify(request?.messages);
  const listFiles: ScriptedStep = { calls: [['list_files', {}]] };

  function helpers(): readonly HelperView[] {
    return services.session.state.turns.flatMap((turn) =>
      turn.role === 'assistant' ? (turn.toolCalls ?? []).flatMap((call) => call.helpers ?? []) : [],
    );
  }
  const states = () => helpers().map(({ name, state }) => `${name} ${state}`);

  /** The run starts helpers with these names. Each of them takes one step, and then the run takes its last one. */
  function follow(
    names: readonly string[],
    stepOf: (name: string) => ScriptedStep,
    last: ScriptedStep = { text: 'All is done.' },
    from?: Promise<void>,
  ): void {
    const asked = names.map((name) => ({ name, task: `Task of ${name}`, role: 'reader' }));
    const first: ScriptedStep = { calls: [['run_helpers', { helpers: asked }]], ...(from && { from }) };
    model.follow(({ request, results }) => {
      const name = /^\[[^\]]*"Task of (\w+)/.exec(textIn(request))?.[1];
      if (name !== undefined) return stepOf(name);
      return results.length === 0 ? first : last;
    });
  }

  const FAULTS: readonly (readonly [string, ScriptedStep, RegExp])[] = [
    ['has no credit', { refusal: 402 }, /It did not finish: Your credit is used up\. Refused with 402\./],
    ['does not exist', { refusal: 404 }, /It did not finish: Model or address not found\. Refused with 404\./],
    ['breaks off', { text: 'Some words', cutAt: 0.6 }, /It did not finish: The service cannot be reached\. The connec/],
  ];
  for (const [fault, step, told] of FAULTS) {
    it(`goes on with what one helper says if the model of another one ${fault}`, async () => {
      follow(['good', 'bad'], (name) => (name === 'bad' ? step : { text: 'Report of good.' }));
      await services.session.chat.turns.send('Go');
      assert.deepEqual([view().state, ...states()], ['done', 'good done', 'bad failed']);
      assert.match(textIn(model.requests.at(-1)), told);
      assert.match(textIn(model.requests.at(-1)), /Report of good\./);
    });
  }

  it('asks before three helpers that the rest of its cap does not pay, and starts none of them before', async () => {
    const capped = Promise.withResolvers<void>();
    follow(['a', 'b', 'c'], (name) => ({ text: `Report of ${name}.` }), undefined, capped.promise);
    const sent = services.session.chat.turns.send('Go');
    await eventually('the first request', async () => model.requests.length === 1);
    await services.session.chat.runs.receive({ type: 'setLimits', cap: 0.02 });
    capped.resolve();
    await asks();
    assert.deepEqual([view().question?.type, model.requests.length], ['cap', 1]);
    await services.session.chat.runs.receive({ type: 'raiseCap', by: 0.5 });
    await sent;
    assert.deepEqual([view().state, ...states()], ['done', 'a done', 'b done', 'c done']);
  });

  it('does not start its helpers again if it was stopped while it read what they say', async () => {
    const held = Promise.withResolvers<void>();
    follow(['a', 'b'], (name) => ({ text: `Report of ${name}.` }), { text: 'All is done.', from: held.promise });
    const sent = services.session.chat.turns.send('Go');
    await eventually('the request with the reports', async () => model.requests.length === 4);
    services.session.chat.stop();
    await sent;
    assert.equal(view().state, 'stopped');
    held.resolve();
    await services.session.chat.runs.receive({ type: 'continueRun' });
    assert.deepEqual([view().state, ...states()], ['done', 'a done', 'b done']);
    assert.equal(model.requests.length, 5);
  });

  it('goes on after its connection was lost in the middle of an answer', async () => {
    model.follow([listFiles, { text: 'The first half.', cutAt: 0.5 }, { text: 'Done.' }]);
    await services.session.chat.turns.send('Go');
    assert.equal(view().state, 'stopped');
    await services.session.chat.runs.receive({ type: 'continueRun' });
    assert.deepEqual([view().state, model.requests.length], ['done', 3]);
  });

  it('stops with the reason if the key is removed meanwhile, also when it is continued without a key', async () => {
    const held = Promise.withResolvers<void>();
    model.follow([{ ...listFiles, from: held.promise }, { text: 'Done.' }]);
    const sent = assert.rejects(services.session.chat.turns.send('Go'), /Set a service key/);
    await eventually('the first request', async () => model.requests.length === 1);
    await services.keys.remove();
    await services.connection.refresh();
    held.resolve();
    await sent;
    assert.equal(view().state, 'stopped');
    await assert.rejects(services.session.chat.runs.receive({ type: 'continueRun' }), /Set a service key/);
    assert.deepEqual([view().state, model.requests.length], ['stopped', 1]);
  });

  it('tells why a helper has not begun if the key is removed meanwhile', async () => {
    const held = Promise.withResolvers<void>();
    follow(['a'], (name) => ({ text: `Report of ${name}.` }), undefined, held.promise);
    const sent = assert.rejects(services.session.chat.turns.send('Go'), /Set a service key/);
    await eventually('the first request', async () => model.requests.length === 1);
    await services.keys.remove();
    await services.connection.refresh();
    held.resolve();
    await sent;
    const [call] = services.session.state.turns.flatMap((turn) =>
      turn.role === 'assistant' ? (turn.toolCalls ?? []) : [],
    );
    assert.deepEqual(states(), ['a failed']);
    assert.match(helpers()[0]?.fault ?? '', /^Set a service key/);
    assert.match(call?.result ?? '', /It did not finish: Set a service key/);
  });

  it('stops if the sandbox is switched on meanwhile, and goes on when the user continues it', async () => {
    model.follow([{ calls: [['run_command', { command: 'echo one' }]] }, { text: 'Done.' }]);
    const sent = services.session.chat.turns.send('Go');
    await asks();
    await services.settings.set('sandbox.enabled', true);
    await services.connection.refresh();
    await sent;
    assert.deepEqual([view().state, view().sandbox, model.requests.length], ['stopped', 'on', 1]);
    await services.settings.set('sandbox.enabled', false);
    await services.connection.refresh();
    const again = services.session.chat.runs.receive({ type: 'continueRun' });
    await asks();
    assert.equal(view().sandbox, undefined);
    const { question } = view();
    const number = question?.type === 'approval' ? question.number : assert.fail('It asks for something else.');
    await services.session.chat.runs.receive({ type: 'decide', question: number, choice: 'deny' });
    await again;
    assert.deepEqual([view().state, model.requests.length], ['done', 2]);
  });

  it('stops if it began in the sandbox, so that the service is not paid for its next step', async () => {
    await services.settings.set('sandbox.enabled', true);
    await services.connection.refresh();
    const sent = services.session.chat.turns.send('Find a bug in `src/quote.ts` and fix it');
    await asks();
    await services.settings.set('sandbox.enabled', false);
    await services.connection.refresh();
    await sent;
    assert.deepEqual([view().state, view().sandbox, model.requests.length], ['stopped', 'off', 0]);
    await new Checkpoint(services.store.checkpointPath(services.session.chat.conversation.id, view().id)).restore();
  });
});
