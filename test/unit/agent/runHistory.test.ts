import assert from 'node:assert/strict';
import { replacedSteps, spentOn } from '../../../src/agent/runHistory.ts';
import { conversationOf } from '../../../src/chat/conversation/conversation.ts';
import { forkRecords } from '../../../src/chat/conversation/fork.ts';
import type { ConversationRecord } from '../../../src/chat/conversation/record.ts';
import { answered, conversation, question } from '../chat/conversation/records.ts';

function step(id: string, parent: string, cost: number): ConversationRecord[] {
  return answered(id, id, { parent, cost }).map((record) =>
    record.type === 'answer' ? { ...record, run: 'q' } : record,
  );
}

describe('what a run has cost', () => {
  const value = conversation(
    question('q', 'Do it', { parent: null }),
    step('one', 'q', 0.25),
    step('broken', 'one', 0.5),
    { type: 'removed', id: 'broken' },
    step('again', 'one', 1),
    step('kept', 'one', 2),
  );

  it('is that of its steps, also of those that were replaced, which are named', () => {
    assert.equal(spentOn(value, 'q'), 3.75);
    assert.deepEqual(replacedSteps(value, 'q'), { count: 2, cost: 1.5 });
    assert.deepEqual([spentOn(value, 'other'), replacedSteps(value, 'other')], [undefined, undefined]);
  });

  it('is nothing in a chat that has a copy of it, until it goes on there', () => {
    const fork = forkRecords(value, 'kept', { id: 'fork', workspace: undefined }) ?? [];
    assert.equal(spentOn(conversationOf('fork', fork), 'q'), 0);
    assert.equal(spentOn(conversationOf('fork', [...fork, ...step('next', 'kept', 0.5)]), 'q'), 0.5);
  });
});
