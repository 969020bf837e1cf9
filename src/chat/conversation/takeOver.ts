import { randomUUID } from 'node:crypto';
import type { AnswerTurn } from '../../pages/chat/protocol.ts';
import { asCopies, recordsOf } from './fork.ts';
import type { LiveConversation } from './liveConversation.ts';

/**
 * Replaces an answer of another window with a copy in this window, to continue it. The other window may only have been
 * suspended: if both wrote to one answer, their texts would mix.
 */
export function takeOver(conversation: LiveConversation, answer: AnswerTurn): AnswerTurn {
  const { value } = conversation;
  const own = { ...answer, id: randomUUID() };
  for (const record of asCopies(recordsOf(own, value.parentOf(answer.id) ?? null, Date.now())))
    conversation.record(record.type === 'answer' ? { ...record, continues: answer.id } : record);
  conversation.record({ type: 'removed', id: answer.id });
  return value.answer(own.id) ?? own;
}
