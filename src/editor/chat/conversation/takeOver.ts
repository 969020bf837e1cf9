import { randomUUID } from 'node:crypto';
import type { AnswerTurn } from '../protocol.ts';
import { recordsOf } from './fork.ts';
import type { LiveConversation } from './liveConversation.ts';

/**
 * Puts an answer of this window, with all that has come, in the place of another window's, to go on with it. That window
 * may only have slept: were both to write into one answer, their texts would mix.
 */
export function takeOver(conversation: LiveConversation, answer: AnswerTurn): AnswerTurn {
  const { value } = conversation;
  const own = { ...answer, id: randomUUID() };
  for (const record of recordsOf(own, value.parentOf(answer.id) ?? null, Date.now()))
    conversation.record(record.type === 'answer' ? { ...record, continues: answer.id } : record);
  conversation.record({ type: 'removed', id: answer.id });
  return value.answer(own.id) ?? own;
}
