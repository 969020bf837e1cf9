import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { dayOf } from '../../src/display/day.ts';
import type { Services } from '../../src/editor/services.ts';
import { eventually } from '../support/eventually.ts';
import { inSandbox } from './extension.ts';

const MODEL = 'familya-haiku-4.5';

describe('the record of calls', () => {
  let services: Services;

  before(async () => {
    services = await inSandbox();
    await services.models.refresh();
    await services.session.startNew();
    await services.session.parameters.chooseModel(MODEL);
  });
  after(() => services.settings.set('chat.model', ''));

  const scope = () => {
    const today = dayOf(Date.now());
    return { ledger: services.ledger, period: { first: today, last: today }, ofSandbox: true };
  };
  const report = () => services.worker.rpc.readLedger('usage', scope());
  const lines = () => services.worker.rpc.readLedger('usageLines', scope());

  const exchangesOf = async (source: string) =>
    (await report()).callers.find((caller) => caller.source === source)?.exchanges ?? 0;

  it('contains each question from the chat panel with its chat and cost', async () => {
    const before = await exchangesOf('chatPanel');
    await services.session.chat.turns.send('echo: recorded');
    assert.equal(await exchangesOf('chatPanel'), before + 1);
    const { conversationId, turns } = services.session.state;
    const conversation = (await lines()).find((line) => line.conversationId === conversationId);
    const answer = turns.at(-1);
    assert.ok(answer?.role === 'assistant');
    // The ledger counts whole billionths of a US dollar.
    assert.equal(conversation?.cost, Number(answer.figures?.cost?.toFixed(9)));
    assert.equal(conversation?.outputTokens, answer.figures?.outputTokens);
  });

  it('contains a failed question', async () => {
    const { failed } = (await report()).totals;
    await services.session.parameters.chooseModel(`${MODEL}+no-credit`);
    await services.session.chat.turns.send('echo: refused');
    await services.session.parameters.chooseModel(MODEL);
    assert.equal((await report()).totals.failed, failed + 1);
  });

  it('lists a running question and cancels it', async () => {
    await services.session.parameters.chooseModel(`${MODEL}+stall`);
    const before = (await report()).totals.failed;
    const sent = services.session.chat.turns.send('echo: stalled');
    const isAnswering = async () => services.calls.running[0]?.entry().firstByteMs !== undefined;
    await eventually('the beginning of the answer', isAnswering);
    const [call] = services.calls.running;
    assert.ok(call);
    const { source, model, conversationId } = call.entry();
    assert.deepEqual(
      [source, model, conversationId],
      ['chatPanel', `${MODEL}+stall`, services.session.state.conversationId],
    );
    call.cancel();
    await sent;
    await services.session.parameters.chooseModel(MODEL);
    const answer = services.session.state.turns.at(-1);
    assert.equal(answer?.role === 'assistant' && answer.status, 'stopped');
    assert.deepEqual(services.calls.running, []);
    assert.equal(services.calls.find(call.id)?.head.request?.headers.accept, 'text/event-stream');
    // It was stopped, which is no failure.
    assert.equal((await report()).totals.failed, before);
  });

  it("contains a question from the editor's built-in chat", async () => {
    const before = await exchangesOf('nativeChat');
    const [model] = await vscode.lm.selectChatModels({ vendor: 'model-access', id: MODEL });
    assert.ok(model);
    const answer = await model.sendRequest([vscode.LanguageModelChatMessage.User('echo: recorded')]);
    for await (const _ of answer.stream);
    assert.equal(await exchangesOf('nativeChat'), before + 1);
  });

  it("reserves the possible cost of the editor's built-in chat against the limits until a question ends", async () => {
    const [model] = await vscode.lm.selectChatModels({ vendor: 'model-access', id: MODEL });
    assert.ok(model);
    const ask = async (text: string, token?: vscode.CancellationToken) =>
      model.sendRequest([vscode.LanguageModelChatMessage.User(text)], {}, token);
    const all = async (answer: vscode.LanguageModelChatResponse) => {
      for await (const _ of answer.stream);
    };
    const { worker, ledger, calls } = services;
    const { daily } = await worker.rpc.readLedger('accountSpend', { ledger, upstream: 'sandbox' });
    const limits = vscode.workspace.getConfiguration('modelAccess.limits');
    // Less than the longest answer costs, and more than the actual ones cost.
    await limits.update('daily', daily + 0.08, vscode.ConfigurationTarget.Global);
    const left = new vscode.CancellationTokenSource();
    try {
      const first = await ask('write 5000 words', left.token);
      await eventually('the first question under way', async () => calls.running.length === 1);
      await assert.rejects(async () => all(await ask('echo: beside it')), /may use up the rest/);
      left.cancel();
      await all(first).catch(() => undefined);
      await eventually('the end of the first', async () => calls.running.length === 0);
      await all(await ask('echo: behind it'));
    } finally {
      left.cancel();
      await limits.update('daily', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
