import assert from 'node:assert/strict';
import type { ConversationRecord } from '../../../../src/chat/conversation/record.ts';
import { runAt } from '../../../../src/chat/conversation/runAt.ts';
import { answered, conversation, question } from './records.ts';

function step(id: string, run: string): ConversationRecord[] {
  const [answer, ...others] = answered(id);
  assert.ok(answer?.type === 'answer');
  return [{ ...answer, run }, ...others];
}

describe('the run of a request in the ledger', () => {
  const chat = conversation(
    question('first', 'Do it', { at: 100 }),
    step('s1', 'first'),
    question('hint', 'Use tabs', { at: 150 }),
    step('s2', 'first'),
    question('asked', 'Why?', { at: 200 }),
    answered('a'),
    question('second', 'Again', { at: 300 }),
    step('s3', 'second'),
  );

  it('is the one that began last before the request, whatever was asked during it', () => {
    assert.equal(runAt(chat, 101), 'first');
    assert.equal(runAt(chat, 180), 'first');
    assert.equal(runAt(chat, 300), 'second');
    assert.equal(runAt(chat, 9000), 'second');
  });

  it('is unknown for a request before the first one', () => {
    assert.equal(runAt(chat, 99), undefined);
  });
});
