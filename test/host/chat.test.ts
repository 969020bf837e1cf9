import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { textAttachment } from '../../src/chat/context/textAttachment.ts';
import type { Services } from '../../src/editor/services.ts';
import type { FormatName } from '../../src/formats/conversation.ts';
import type { AnswerTurn } from '../../src/pages/chat/protocol.ts';
import { eventually } from '../support/eventually.ts';
import { inSandbox } from './extension.ts';

describe('a chat in the extension host', () => {
  let services: Services;

  before(async () => {
    services = await inSandbox();
    await services.models.refresh();
  });
  beforeEach(() => services.session.startNew());
  afterEach(() => services.session.chat.composition.compose(''));
  after(() => services.settings.set('chat.model', ''));

  function lastAnswer(): AnswerTurn {
    const last = services.session.state.turns.at(-1);
    assert.ok(last?.role === 'assistant');
    return last;
  }

  /** Sends a question and waits for the first text of its answer. */
  async function streaming(question: string): Promise<{ readonly ended: Promise<void> }> {
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const subscription = services.session.panel.onDidPost(({ type }) => {
      if (type === 'delta') resolve();
    });
    const ended = services.session.chat.turns.send(question);
    await begun;
    subscription.dispose();
    return { ended };
  }

  for (const format of ['chat-completions', 'messages', 'responses'] satisfies FormatName[]) {
    it(`receives a complete answer with its usage and cost in ${format} format`, async () => {
      await services.session.parameters.chooseFormat(format);
      await services.session.chat.turns.send('echo: one two three');
      const answer = lastAnswer();
      assert.equal(answer.status, 'complete');
      assert.match(answer.text, /one two three/);
      assert.equal(answer.figures?.estimated, false);
      assert.ok((answer.figures?.inputTokens ?? 0) > 0);
      assert.ok((answer.figures?.cost ?? 0) > 0);
    });
  }

  it('keeps the short sentence of a question that a command wrote, until its text is edited', async () => {
    const { chat, state } = services.session;
    const { turns } = chat;
    assert.deepEqual(state.turns, []);
    const lastQuestion = () => {
      const last = services.session.state.turns.findLast(({ role }) => role === 'user');
      assert.ok(last?.role === 'user');
      return last;
    };
    await turns.send('echo: a long text', [], 'Explain a.ts');
    assert.match(lastAnswer().text, /a long text/);
    assert.equal(lastQuestion().shown, 'Explain a.ts');
    await turns.edit(lastQuestion().id, 'echo: a long text');
    assert.equal(lastQuestion().shown, 'Explain a.ts');
    await turns.edit(lastQuestion().id, 'echo: another text');
    assert.deepEqual([lastQuestion().text, lastQuestion().shown], ['echo: another text', undefined]);
  });

  it('keeps the attachments of its next question while another chat is shown, also before its first question', async () => {
    const { session } = services;
    const labels = () => session.chat.composition.attachments.map(({ label }) => label);
    const attach = (label: string) =>
      session.chat.composition.attach(
        textAttachment({ kind: 'file', label, path: label, languageId: 'typescript', text: 'text' }),
      );
    await session.chat.turns.send('echo: one');
    const first = session.chat.conversation.id;
    attach('of-first.ts');
    await session.startNew();
    assert.deepEqual(labels(), []);
    attach('of-new.ts');
    await session.open(first);
    assert.deepEqual(labels(), ['of-first.ts']);
    await session.startNew();
    assert.deepEqual(labels(), ['of-new.ts']);
    await session.chat.turns.send('echo: two');
    assert.deepEqual(labels(), []);
    const second = session.chat.conversation.id;
    await session.startNew();
    assert.notEqual(session.chat.conversation.id, second);
    await session.open(first);
    assert.deepEqual(labels(), ['of-first.ts']);
    session.chat.composition.detach(session.chat.composition.attachments[0]?.id ?? '');
    await session.open(second);
    await session.open(first);
    assert.deepEqual(labels(), []);
  });

  it('stops immediately and keeps the partial answer', async () => {
    const sent = await streaming('write 400 words');
    services.session.chat.answers.stop();
    await sent.ended;
    const answer = lastAnswer();
    assert.equal(answer.status, 'stopped');
    assert.notEqual(answer.text, '');
  });

  it('goes on in a tab of the editor beside another chat in the panel', async () => {
    const { session, chats } = services;
    const sent = await streaming('write 40 words');
    const { id } = session.chat;
    await vscode.commands.executeCommand('modelAccess.openChatInTab');
    assert.notEqual(session.chat.id, id);
    assert.equal(chats.live(id)?.display.isShown, true);
    await session.chat.turns.send('echo: beside it');
    await sent.ended;
    assert.match(lastAnswer().text, /beside it/);
    const inTab = chats.live(id)?.shownTurns.at(-1);
    assert.equal(inTab?.role === 'assistant' && inTab.status, 'complete');
    // It is shown in one place: the tab is revealed instead.
    assert.equal(await session.open(id), true);
    assert.notEqual(session.chat.id, id);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await eventually('the closed tab', async () => chats.live(id)?.display.isShown !== true);
    await session.open(id);
    assert.equal(session.chat.id, id);
  });

  it('sends a queued question once the answer in progress has ended', async () => {
    const first = services.session.chat.turns.send('write 40 words');
    const next = services.session.chat.turns.sendNext('echo: and then');
    await Promise.all([first, next]);
    const { turns } = services.session.state;
    const questions = turns.flatMap((turn) => (turn.role === 'user' ? turn.text : []));
    assert.deepEqual(questions, ['write 40 words', 'echo: and then']);
    assert.deepEqual(
      turns.flatMap((turn) => (turn.role === 'assistant' ? turn.status : [])),
      ['complete', 'complete'],
    );
    assert.match(lastAnswer().text, /and then/);
  });

  it('asks once if a question is sent twice before its request begins, and puts the second back', async () => {
    const { turns, composition } = services.session.chat;
    await Promise.all([turns.send('echo: first'), turns.send('echo: second')]);
    assert.equal(services.session.state.turns.length, 2);
    assert.match(lastAnswer().text, /first/);
    assert.equal(composition.draft, 'echo: second');
    composition.compose('');
  });

  it('puts a question back into the composer, before a later draft, if an answer is in progress', async () => {
    const { turns, composition, answers } = services.session.chat;
    const first = await streaming('write 400 words');
    await turns.send('echo: too early');
    assert.equal(composition.draft, 'echo: too early');
    composition.setDraft('later');
    await turns.send('echo: too early');
    assert.equal(composition.draft, 'echo: too early\n\nlater');
    answers.stop();
    await first.ended;
    assert.equal(services.session.state.turns.length, 2);
    composition.compose('');
  });

  it('lets another model answer the same question as another version', async () => {
    await services.session.chat.turns.send('echo: who answers');
    const before = lastAnswer();
    const other = services.models.state.models.find(({ id }) => id !== before.model);
    assert.ok(other);
    await services.session.chat.turns.askAgain(before.id, [other.id]);
    const after = lastAnswer();
    assert.equal(after.model, other.id);
    assert.deepEqual(after.branch, { position: 2, count: 2 });
    assert.equal(services.session.state.turns.length, 2);
  });

  it('stores the chat in its file', async () => {
    await services.session.chat.turns.send('echo: keep this');
    const { conversationId } = services.session.state;
    await services.session.startNew();
    assert.equal(services.session.state.turns.length, 0);
    assert.equal(await services.session.open(conversationId), true);
    assert.match(lastAnswer().text, /keep this/);
  });

  it('shows a failure with suggested actions and retries', async () => {
    await services.session.parameters.chooseModel('familya-haiku-4.5+no-credit');
    await services.session.chat.turns.send('echo: paid at last');
    const failed = lastAnswer();
    assert.equal(failed.status, 'failed');
    assert.equal(failed.failure?.kind, 'credit');
    assert.ok(failed.failure?.steps.includes('addCredit'));
    await services.session.parameters.chooseModel('familya-haiku-4.5');
    // Only a choice before the first question becomes the default of new chats.
    assert.equal(services.settings.chatModel, 'familya-haiku-4.5+no-credit');
    await services.settings.set('chat.model', '');
    await services.session.chat.turns.askAgain(failed.id);
    assert.equal(lastAnswer().status, 'complete');
    assert.equal(services.session.state.turns.length, 2);
  });

  it('estimates the request before it is sent and lets the service count it', async () => {
    const known = new Promise<void>((resolve) => {
      const subscription = services.session.panel.onDidPost((message) => {
        if (message.type !== 'change' || message.change.estimate?.state !== 'known') return;
        subscription.dispose();
        resolve();
      });
    });
    services.session.chat.composition.setDraft('How many tokens is this question?');
    assert.equal(services.session.state.estimate.state, 'counting');
    await known;
    const { estimate } = services.session.state;
    assert.equal(estimate.estimated, false);
    assert.ok((estimate.inputTokens ?? 0) > 0);
    assert.ok(estimate.inputCost !== undefined && estimate.balanceAfter !== undefined);
  });
});
