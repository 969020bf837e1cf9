/** The conversation as the panel shows it. */
import type { Conversation } from './conversation/conversation.ts';
import { type Entry, toAttachmentView } from './conversation/entry.ts';
import type { AnswerTurn, Turn } from './protocol.ts';

/** `running`: answers under way as they show now, with the wait for their next try. */
export function turnsOf(conversation: Conversation, running: readonly AnswerTurn[] = []): Turn[] {
  const now = (answer: AnswerTurn) => running.find(({ id }) => id === answer.id) ?? answer;
  const turns = conversation.entries.map((entry) =>
    toTurn(entry.role === 'assistant' ? now(entry) : entry, conversation),
  );
  const { comparison, comparisonId } = conversation;
  return comparisonId === undefined
    ? turns
    : [...turns, { role: 'comparison', id: comparisonId, answers: comparison.map(now) }];
}

export function toTurn(entry: Entry, conversation: Conversation): Turn {
  const branch = conversation.branchOf(entry.id);
  const shown = branch === undefined ? {} : { branch };
  if (entry.role === 'assistant') return { ...entry, ...shown };
  const { role, id, text, attachments } = entry;
  return { role, id, text, attachments: attachments.map(toAttachmentView), ...shown };
}
