import assert from 'node:assert/strict';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RemoteAnswers } from '../../../../src/chat/answers/remoteAnswers.ts';
import { ConversationStore } from '../../../../src/chat/conversation/conversationStore.ts';
import { LiveConversation } from '../../../../src/chat/conversation/liveConversation.ts';
import type { ExchangeRow } from '../../../../src/ledger/exchangeQuery.ts';
import type { AnswerTurn, ChatHostMessage } from '../../../../src/pages/chat/protocol.ts';
import { answer, header, question } from '../conversation/records.ts';

describe('answers in other windows', () => {
  let folder: string;
  let writer: ConversationStore;
  let conversation: LiveConversation;
  let posted: ChatHostMessage[];
  let looks: number;
  let rows: ExchangeRow[];
  /** The sum of the chat each time that answers were finished. */
  let spent: unknown[];
  let elsewhere: RemoteAnswers;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'elsewhere-'));
    writer = new ConversationStore(folder);
    await writer.append('c', [header('c'), question('q', 'why?', { parent: null }), answer('a', { parent: 'q' })]);
    const store = new ConversationStore(folder);
    const stored = await store.readAndFollow('c');
    assert.ok(stored !== undefined);
    conversation = new LiveConversation(stored, store, (error) => assert.fail(String(error)));
    posted = [];
    looks = 0;
    rows = [];
    spent = [];
    elsewhere = new RemoteAnswers(conversation, {
      post: (message) => posted.push(message),
      look: () => {
        looks += 1;
      },
      rowsOf: async () => rows,
      onFinished: () => spent.push(conversation.spent.cost),
    });
  });
  afterEach(async () => {
    elsewhere.dispose();
    // The figures of the last answer may still be being written.
    await rm(folder, { recursive: true, maxRetries: 5 });
  });

  function shown(): AnswerTurn | undefined {
    const last = posted.at(-1);
    return last?.type === 'turnChanged' && last.turn.role === 'assistant' ? last.turn : undefined;
  }

  async function show(): Promise<void> {
    await elsewhere.show(await conversation.catchUp());
  }

  it('take their figures from the ledger when their window has crashed', async () => {
    const usage = { inputTokens: 90, outputTokens: 40 };
    const row = { number: 1, at: 1, source: 'chatPanel', durationMs: 5, usage, cost: 0.002 } as const;
    rows = [
      { ...row, id: 'another', end: 'lost' },
      { ...row, id: 'a', end: 'lost', usageIsEstimated: true },
    ];
    const figures = { inputTokens: 90, outputTokens: 38, estimated: true };
    await writer.append('c', [{ type: 'delta', id: 'a', text: 'Because', figures }]);
    await show();
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(join(folder, 'c.jsonl'), longAgo, longAgo);
    await show();
    assert.equal(shown()?.status, 'stopped');
    assert.deepEqual(shown()?.figures, { inputTokens: 90, outputTokens: 40, estimated: true, cost: 0.002 });
    assert.deepEqual(conversation.value.unfinished, []);
    assert.deepEqual(spent, [0.002]);
  });

  it('keep their own figures if the ledger does not record them as lost', async () => {
    rows = [{ number: 1, id: 'a', at: 1, source: 'chatPanel', durationMs: 5, end: 'completed' }];
    const figures = { inputTokens: 90, outputTokens: 38, estimated: true };
    await writer.append('c', [{ type: 'delta', id: 'a', text: 'Because', figures }]);
    await show();
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(join(folder, 'c.jsonl'), longAgo, longAgo);
    await show();
    assert.deepEqual([shown()?.status, shown()?.figures], ['stopped', figures]);
    assert.deepEqual(spent, []);
  });

  it('are shown as they grow, with locally counted tokens, and then with their final figures', async () => {
    await writer.append('c', [{ type: 'delta', id: 'a', text: 'Because it is so.' }]);
    await show();
    assert.equal(shown()?.text, 'Because it is so.');
    assert.equal(shown()?.elsewhere, true);
    assert.equal(shown()?.figures?.estimated, true);
    assert.ok((shown()?.figures?.outputTokens ?? 0) > 0);
    const figures = { outputTokens: 5, estimated: false };
    await writer.append('c', [{ type: 'answerEnd', id: 'a', status: 'complete', figures }]);
    await show();
    assert.equal(shown()?.elsewhere, undefined);
    assert.equal(shown()?.status, 'complete');
    assert.deepEqual(shown()?.figures, figures);
  });

  it('are polled while they are streaming, and count as stopped when their window is gone', async () => {
    await show();
    assert.deepEqual(posted, []);
    while (looks === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(join(folder, 'c.jsonl'), longAgo, longAgo);
    await show();
    assert.equal(shown()?.status, 'stopped');
    assert.equal(shown()?.elsewhere, undefined);
    assert.equal(conversation.isAnsweredElsewhere, false);
  });
});
