import assert from 'node:assert/strict';
import {
  applyRecord,
  type ConversationRecord,
  costOf,
  emptyConversation,
  settleUnfinished,
  titleOf,
} from '../../../src/editor/chat/conversation.ts';

const question = (id: string, text: string): ConversationRecord => ({
  type: 'question',
  id,
  at: 1,
  text,
  attachments: [],
});
const answer = (id: string): ConversationRecord => ({
  type: 'answer',
  id,
  at: 2,
  model: 'familya-sonnet-4.6',
  format: 'messages',
  sandbox: false,
});

function conversationOf(...records: ConversationRecord[]) {
  return records.reduce(applyRecord, emptyConversation('c'));
}

describe('a conversation', () => {
  it('adds up deltas of text and reasoning', () => {
    const { entries } = conversationOf(
      question('q', 'Why?'),
      answer('a'),
      { type: 'delta', id: 'a', reasoning: 'Hm. ' },
      { type: 'delta', id: 'a', text: 'Be' },
      { type: 'delta', id: 'a', text: 'cause.' },
      { type: 'answerEnd', id: 'a', status: 'complete' },
    );
    const last = entries.at(-1);
    assert.ok(last?.role === 'assistant');
    assert.equal(last.text, 'Because.');
    assert.equal(last.reasoning, 'Hm. ');
    assert.equal(last.status, 'complete');
  });

  it('ignores deltas of an answer that was removed', () => {
    const { entries } = conversationOf(
      question('q', 'Why?'),
      answer('a'),
      { type: 'removed', id: 'a' },
      { type: 'delta', id: 'a', text: 'late' },
    );
    assert.deepEqual(
      entries.map(({ id }) => id),
      ['q'],
    );
  });

  it('counts an answer without an end as stopped and keeps its text', () => {
    const { entries } = settleUnfinished(
      conversationOf(question('q', 'Why?'), answer('a'), { type: 'delta', id: 'a', text: 'Bec' }),
    );
    const last = entries.at(-1);
    assert.ok(last?.role === 'assistant');
    assert.equal(last.status, 'stopped');
    assert.equal(last.text, 'Bec');
  });

  it('is named after the first line of the first question, shortened', () => {
    assert.equal(titleOf(conversationOf(question('q', '  Explain this\nand that'))), 'Explain this');
    const long = titleOf(conversationOf(question('q', 'word '.repeat(40))));
    assert.equal(long.length <= 60, true);
    assert.equal(long.endsWith('…'), true);
    assert.equal(titleOf(emptyConversation('c')), 'New conversation');
  });

  it('costs what its answers cost, and has no cost while no price is known', () => {
    const end = (id: string, cost?: number): ConversationRecord => ({
      type: 'answerEnd',
      id,
      status: 'complete',
      figures: { outputTokens: 1, estimated: false, ...(cost !== undefined && { cost }) },
    });
    assert.equal(costOf(conversationOf(answer('a'), end('a'))), undefined);
    assert.equal(
      costOf(conversationOf(answer('a'), end('a', 0.25), answer('b'), end('b'), answer('c'), end('c', 0.5))),
      0.75,
    );
  });
});
