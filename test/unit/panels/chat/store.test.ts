import assert from 'node:assert/strict';
import { effect } from '@preact/signals';
import type { ChatPanelMessage, PanelTransport } from '../../../../src/pages/chat/panelMessages.ts';
import type { ChatHostMessage, ChatState, KeptState } from '../../../../src/pages/chat/protocol.ts';
import { ChatStore } from '../../../../src/panels/chat/store.ts';
import { chatState, LARGE, question, reply, SMALL } from './state.ts';

class Page implements PanelTransport {
  readonly posted: ChatPanelMessage[] = [];
  readonly frames: (() => void)[] = [];
  readonly store: ChatStore;
  state: KeptState;
  #receive: (message: ChatHostMessage) => void = () => assert.fail('The panel does not listen.');

  constructor(state?: ChatState, kept: string | KeptState = '') {
    this.state = typeof kept === 'string' ? { draft: kept } : kept;
    this.store = new ChatStore(this, { schedule: (flush) => this.frames.push(flush), now: () => 0 });
    this.store.start();
    if (state !== undefined) this.tell({ type: 'state', state });
  }
  post(message: ChatPanelMessage): void {
    this.posted.push(message);
  }
  listen(receive: (message: ChatHostMessage) => void): () => void {
    this.#receive = receive;
    return () => {
      this.#receive = () => assert.fail('The panel does not listen any more.');
    };
  }
  kept(): KeptState {
    return this.state;
  }
  keep(state: KeptState): void {
    this.state = state;
  }
  tell(message: ChatHostMessage): void {
    this.#receive(message);
  }
  delta(text: string): void {
    this.tell({ type: 'delta', turnId: 'b', text, figures: { outputTokens: 1, estimated: true } });
  }
  answerText(): string | undefined {
    const last = this.store.state.value?.turns.at(-1);
    return last?.role === 'assistant' ? last.text : undefined;
  }
}

describe('the chat panel', () => {
  it('requests the snapshot, and reports the draft that was restored after a reload', () => {
    assert.deepEqual(new Page(undefined, 'half').posted, [{ type: 'ready' }, { type: 'draft', text: 'half' }]);
    assert.deepEqual(new Page().posted, [{ type: 'ready' }]);
  });

  describe('with a draft restored after a reload', () => {
    const restored = (kept: Partial<KeptState>, state: ChatState) => {
      const page = new Page(undefined, { draft: 'half', ...kept });
      page.tell({ type: 'state', state });
      return page;
    };
    const place = { conversationId: chatState().conversationId, questionId: 'u' };

    it('shows it if the conversation has not changed', () => {
      const page = restored({ draftPlace: place }, chatState({ turns: [question('u'), reply('b')] }));
      assert.equal(page.store.composition.draft.value, 'half');
    });

    it('drops it if a question was sent after it was saved', () => {
      const turns = [question('u'), reply('b'), question('later')];
      const page = restored({ draftPlace: place }, chatState({ turns }));
      assert.equal(page.store.composition.draft.value, '');
      assert.deepEqual(page.posted.at(-1), { type: 'draft', text: '' });
      assert.equal(page.state.draft, '');
    });

    it('keeps it for its own conversation if another one is shown', () => {
      const other = { ...place, conversationId: 'other' };
      const page = restored({ draftPlace: other }, chatState({ turns: [question('u')] }));
      assert.equal(page.store.composition.draft.value, '');
      assert.deepEqual(page.posted.at(-1), { type: 'draft', text: '' });
      page.tell({ type: 'state', state: chatState({ conversationId: 'other', turns: [question('u')] }) });
      assert.equal(page.store.composition.draft.value, 'half');
      assert.deepEqual(page.posted.at(-1), { type: 'draft', text: 'half' });
    });

    it('shows it in a new conversation if it was written in another one without questions', () => {
      const page = restored({ draftPlace: { conversationId: 'other', questionId: '' } }, chatState());
      assert.equal(page.store.composition.draft.value, 'half');
    });

    it('keeps the typed text if a question arrives while the page is open', () => {
      const page = restored({ draftPlace: place }, chatState({ turns: [question('u')] }));
      page.tell({ type: 'turnAdded', turn: question('later') });
      assert.equal(page.store.composition.draft.value, 'half');
      assert.equal(page.state.draftPlace?.questionId, 'later');
    });
  });

  describe('with a message queued until the end of an answer', () => {
    const ANSWERING = chatState({ turns: [question('u'), reply('b', { status: 'streaming' })] });
    const ANSWERED = [question('u'), reply('b', { status: 'complete' })];

    it('lets the host keep it, and send or drop it', () => {
      const page = new Page(ANSWERING, ' And then? ');
      page.posted.length = 0;
      page.store.sending.send();
      assert.deepEqual(page.posted[0], { type: 'queue', text: 'And then?' });
      page.tell({ type: 'change', change: { queued: 'And then?' } });
      assert.equal(page.store.queue.text.value, 'And then?');
      page.store.queue.sendNow();
      assert.ok(!page.posted.some(({ type }) => type === 'sendQueued'), 'an answer is in progress');
      page.tell({ type: 'state', state: chatState({ turns: ANSWERED, queued: 'And then?' }) });
      page.store.queue.sendNow();
      assert.deepEqual(page.posted.at(-1), { type: 'sendQueued' });
    });

    it('moves it into the composer, before what was written since', () => {
      const page = new Page(chatState({ turns: ANSWERED, queued: 'And then?' }), 'And that?');
      page.store.queue.edit();
      assert.ok(page.posted.some(({ type }) => type === 'dropQueued'));
      assert.equal(page.store.composition.draft.value, 'And then?\n\nAnd that?');
    });
  });

  it('does not send, stop or edit while another window is answering', () => {
    const elsewhere = reply('b', { status: 'streaming', elsewhere: true });
    const page = new Page(chatState({ turns: [question('u'), elsewhere] }), 'And then?');
    page.posted.length = 0;
    assert.equal(page.store.sending.isPossible.value, false);
    page.store.sending.send();
    page.store.stop();
    page.store.editor.open('u');
    assert.deepEqual(page.posted, []);
    assert.equal(page.store.editor.questionId.value, undefined);
    page.tell({ type: 'turnChanged', turn: reply('b', { status: 'complete' }) });
    assert.equal(page.store.sending.isPossible.value, true);
  });

  it('states why sending is blocked while answers are side by side, and scrolls to them', () => {
    const answers = [reply('b', { status: 'complete' }), reply('c', { status: 'complete' })];
    const page = new Page(chatState({ turns: [question('u'), { role: 'comparison', id: 'x', answers }] }), 'And then?');
    page.store.sending.send();
    assert.equal(
      page.posted.some(({ type }) => type === 'send'),
      false,
    );
    assert.equal(page.store.composition.draft.value, 'And then?');
    assert.equal(page.store.announcement.value.text, 'Keep one of the answers first.');
    assert.equal(page.store.keepFocus.value, true);
    page.store.keep('c');
    assert.deepEqual(page.posted.at(-1), { type: 'keep', turnId: 'c' });
  });

  it('follows an answer that begins below what is read, and says so as long as it arrives', () => {
    const page = new Page(chatState({ turns: [question('u'), reply('b', { status: 'complete' })] }));
    const turns = [reply('c', { status: 'streaming' })];
    page.tell({ type: 'turns', from: 1, turns });
    assert.deepEqual([page.store.sends.value, page.store.announcement.value.text], [1, 'Answering.']);
    page.tell({ type: 'turnChanged', turn: reply('c', { status: 'failed' }) });
    assert.deepEqual([page.store.sends.value, page.store.announcement.value.text], [1, '']);
  });

  it('asks several models again with the current one among them, at the price of that question', () => {
    const page = new Page(chatState({ turns: [question('u'), reply('b', { status: 'complete' })], model: LARGE.id }));
    const { models } = page.store;
    models.askSeveral('b');
    assert.deepEqual(models.compared.value, [LARGE.id]);
    assert.equal(models.isForEarlier, true);
    models.compared.value = [LARGE.id, SMALL.id];
    models.askChosen();
    models.leave();
    assert.deepEqual(
      page.posted.map(({ type }) => type),
      ['ready', 'editing', 'editingDone', 'askOther'],
    );
    assert.deepEqual([models.compared.value, models.isForEarlier], [[], false]);
  });

  it('sends the draft to several models from the picker', () => {
    const page = new Page(chatState(), 'Why?');
    page.store.models.compared.value = [LARGE.id, SMALL.id];
    page.store.models.askChosen();
    assert.deepEqual(
      page.posted.find(({ type }) => type === 'send'),
      { type: 'send', text: 'Why?', models: [LARGE.id, SMALL.id] },
    );
  });

  it('renders the deltas of one frame together', () => {
    const page = new Page(chatState({ turns: [question('u'), reply('b')] }));
    page.delta('a');
    page.delta('b');
    assert.equal(page.answerText(), '');
    assert.equal(page.frames.length, 1);
    page.frames[0]?.();
    assert.equal(page.answerText(), 'ab');
  });

  it('draws no code of earlier answers again while an answer grows', () => {
    const page = new Page(chatState({ turns: [question('u'), reply('b')] }));
    let drawn = 0;
    effect(() => {
      page.store.attached.value;
      drawn += 1;
    });
    page.delta('a');
    page.frames[0]?.();
    assert.equal(page.answerText(), 'a');
    assert.equal(drawn, 1);
  });

  it('applies deltas before a later message, without waiting for the frame', () => {
    const page = new Page(chatState({ turns: [question('u'), reply('b')] }));
    page.delta('a');
    page.tell({ type: 'change', change: { title: 'New' } });
    assert.equal(page.answerText(), 'a');
    page.frames[0]?.();
    assert.equal(page.answerText(), 'a');
  });

  it('sends the draft, clears it and scrolls to the end', () => {
    const page = new Page(chatState());
    page.store.composition.setDraft('Why?');
    page.store.sending.send();
    assert.deepEqual(page.posted.slice(-2), [
      { type: 'send', text: 'Why?' },
      { type: 'draft', text: '' },
    ]);
    assert.equal(page.state.draft, '');
    assert.equal(page.store.sends.value, 1);
  });

  const reasons: readonly (readonly [string, ChatState, string])[] = [
    ['there is only white space', chatState(), ' \n'],
    ['the credit is used up', chatState({ balance: { state: 'exhausted', remaining: 0 } }), 'Why?'],
    ['there is neither key nor sandbox', chatState({ connection: 'none' }), 'Why?'],
    [
      'the request does not fit into the window',
      chatState({ model: SMALL.id, estimate: { state: 'known', inputTokens: 1001 } }),
      'Why?',
    ],
  ];
  for (const [reason, state, draft] of reasons) {
    it(`does not send when ${reason}, and keeps the draft`, () => {
      const page = new Page(state);
      page.store.composition.setDraft(draft);
      page.store.sending.send();
      assert.equal(page.posted.filter(({ type }) => type === 'send').length, 0);
      assert.equal(page.state.draft, draft);
    });
  }

  it('sends a request that is only slightly too large by a rough estimate', () => {
    const page = new Page(
      chatState({ model: SMALL.id, estimate: { state: 'known', inputTokens: 1050, estimated: true } }),
    );
    page.store.composition.setDraft('Why?');
    assert.equal(page.store.sending.isPossible.value, true);
  });

  it('stops only a running answer', () => {
    const page = new Page(chatState({ turns: [question('u'), reply('b', { status: 'complete' })] }));
    page.store.stop();
    page.tell({ type: 'turnChanged', turn: reply('b', { status: 'waiting' }) });
    page.store.stop();
    assert.equal(page.posted.filter(({ type }) => type === 'stop').length, 1);
  });

  it('inserts text into the composer and focuses it', () => {
    const page = new Page(chatState());
    page.tell({ type: 'compose', text: 'Explain this' });
    assert.equal(page.store.composition.draft.value, 'Explain this');
    assert.equal(page.state.draft, 'Explain this');
    assert.equal(page.store.focusRequests.value, 1);
  });

  it('opens its own model picker for the Choose Model step, and posts all other steps', () => {
    const page = new Page(chatState());
    page.store.takeStep('chooseModel', 'b');
    assert.equal(page.store.popover.value, 'models');
    page.store.takeStep('addCredit', 'b');
    assert.deepEqual(page.posted.at(-1), { type: 'step', step: 'addCredit', turnId: 'b' });
  });

  it('announces the same text twice if it occurs twice', () => {
    const { store } = new Page(chatState());
    store.announce('Copied.');
    const first = store.announcement.value;
    store.announce('Copied.');
    assert.notDeepEqual(store.announcement.value, first);
  });

  it('announces the end of an answer with its tokens and cost', () => {
    const page = new Page(chatState({ turns: [question('u'), reply('b', { status: 'streaming' })] }));
    const figures = { outputTokens: 702, cost: 0.0228, estimated: false };
    page.tell({ type: 'turnChanged', turn: reply('b', { status: 'complete', text: 'So.', figures }) });
    assert.equal(page.store.announcement.value.text, 'Answer complete. 702 tokens, 2 cents.');
    assert.equal(page.store.state.value?.model, LARGE.id);
  });
});
