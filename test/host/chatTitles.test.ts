import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Services } from '../../src/editor/services.ts';
import type { LedgerEntry } from '../../src/ledger/ledgerEntry.ts';
import { ScriptedConnection } from '../support/editor/scriptedConnection.ts';
import { eventually } from '../support/eventually.ts';
import type { ScriptedStep } from '../support/scriptedModel.ts';
import { activated, inSandbox } from './extension.ts';

const QUESTION = 'Why is the price of a parcel with a weight of exactly twenty kilograms not the one in the table?';
const SMALL = 'familya-haiku-4.5';

describe('titles of chats', () => {
  let services: Services;
  let connection: ScriptedConnection;
  let recorded: LedgerEntry[];
  let subscription: vscode.Disposable;

  before(async () => {
    services = await activated();
    connection = await ScriptedConnection.open(services);
  });
  after(async () => {
    await connection.close();
    await services.settings.set('chat.model', '');
  });
  beforeEach(async () => {
    recorded = [];
    subscription = services.calls.onDidRecord((entry) => recorded.push(entry));
    await writeTitles(true);
    await services.session.startNew();
    await services.session.parameters.chooseModel('familya-sonnet-4.6');
  });
  afterEach(async () => {
    subscription.dispose();
    await writeTitles(false);
  });

  const state = () => services.session.state;
  const titles = () => recorded.filter(({ source }) => source === 'chatTitle');
  /** Answers questions with the first step, and requests for a title with the second one. */
  const answers = (title: ScriptedStep | (() => ScriptedStep)) =>
    connection.model.follow(({ request }) => {
      if (request.model !== SMALL) return { text: 'The table has gross weights.' };
      return typeof title === 'function' ? title() : title;
    });

  it('are written by the cheapest model after the first answer, and their cost belongs to the chat', async () => {
    answers({ text: '**Title: “Price of a twenty kilogram parcel.”**', usage: { inputTokens: 200, outputTokens: 10 } });
    await services.session.chat.turns.send(QUESTION);
    await eventually('the title', async () => state().title === 'Price of a twenty kilogram parcel');
    const { requests } = connection.model;
    assert.deepEqual(
      requests.map(({ model }) => model),
      ['familya-sonnet-4.6', SMALL],
    );
    assert.match(JSON.stringify(requests[1]), /twenty kilograms.*The table has gross weights/);
    assert.match(state().titleNote ?? '', /^Title written by familya-haiku-4\.5 for \$0\.0003$/);
    const [entry] = titles();
    assert.equal(entry?.conversationId, state().conversationId);
    const [answer] = state().turns.slice(-1);
    assert.ok(answer?.role === 'assistant');
    assert.equal(state().spent.cost?.toFixed(9), ((answer.figures?.cost ?? 0) + 0.00025).toFixed(9));

    await services.session.chat.turns.send('And for thirty?');
    await services.session.chat.answers.ended;
    assert.equal(requests.length, 3, 'once a chat');
  });

  it('are the beginning of the question if the request fails, or the answer is no title', async () => {
    for (const step of [{ cutAt: 0 }, { text: '' }] satisfies ScriptedStep[]) {
      await services.session.startNew();
      answers(step);
      await services.session.chat.turns.send(QUESTION);
      await eventually('the end of the request', async () => titles().length > 0);
      assert.match(state().title, /^Why is the price of a parcel .*…$/);
      recorded.length = 0;
    }
  });

  it('are not written over a title that the user has chosen meanwhile', async () => {
    const { session, historyActions } = services;
    const asked = Promise.withResolvers<void>();
    answers(() => {
      asked.resolve();
      return { text: 'Too late' };
    });
    await session.chat.turns.send(QUESTION);
    const { conversationId } = state();
    await (await historyActions.get()).receive({ type: 'renameConversation', conversationId, title: 'Mine' });
    await asked.promise;
    await eventually('the end of the request', async () => titles().length > 0);
    assert.equal(state().title, 'Mine');
  });

  it('are not requested if that is turned off, or a limit is reached', async () => {
    answers({ text: 'A title' });
    await writeTitles(false);
    await services.session.chat.turns.send(QUESTION);
    await writeTitles(true);
    await services.session.startNew();
    const limits = vscode.workspace.getConfiguration('modelAccess.limits');
    await limits.update('chat', 0.002, vscode.ConfigurationTarget.Global);
    try {
      connection.model.follow([{ text: 'The table.', usage: { inputTokens: 1000, outputTokens: 100 } }]);
      await services.session.chat.turns.send('Why?');
      await services.session.chat.answers.ended;
      assert.deepEqual(titles(), []);
      assert.equal(connection.model.requests.length, 1);
    } finally {
      await limits.update('chat', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});

describe('titles of chats in the sandbox', () => {
  it('are prepared for its starters, and cost nothing', async () => {
    const services = await inSandbox();
    await writeTitles(true);
    const recorded: LedgerEntry[] = [];
    const subscription = services.calls.onDidRecord((entry) => recorded.push(entry));
    try {
      await services.session.startNew();
      const prompts = await services.prompts.get();
      await prompts.receive({ type: 'starter', action: 'list' });
      await prompts.receive({ type: 'starter', action: 'use', id: 'explain' });
      assert.equal(services.session.state.title, 'How quote.ts computes prices');
      await services.session.startNew();
      await services.session.chat.turns.send('echo: a free question');
      assert.equal(services.session.state.title, 'echo: a free question');
      assert.ok(recorded.every(({ source }) => source === 'chatPanel'));
    } finally {
      subscription.dispose();
      await writeTitles(false);
    }
  });
});

async function writeTitles(isOn: boolean): Promise<void> {
  const settings = vscode.workspace.getConfiguration('modelAccess.chat');
  await settings.update('writeTitles', isOn, vscode.ConfigurationTarget.Global);
}
