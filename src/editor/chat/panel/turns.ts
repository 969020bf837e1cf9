/** The conversation as the panel shows it. */
import { estimateTokens } from '../../../tokens/estimate.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { type Entry, toAttachmentView } from '../conversation/entry.ts';
import type { AnswerTurn, Turn } from '../protocol.ts';

/** Answers that are under way. */
export interface UnderWay {
  /** Those of this window as they show now, with the wait for their next try. */
  readonly running?: readonly AnswerTurn[];
  /** Those that other windows write, by their ids. */
  readonly elsewhere?: ReadonlySet<string>;
}

export function turnsOf(conversation: Conversation, { running = [], elsewhere }: UnderWay = {}): Turn[] {
  const now = (answer: AnswerTurn) =>
    elsewhere?.has(answer.id) === true
      ? answeredElsewhere(answer)
      : (running.find(({ id }) => id === answer.id) ?? answer);
  const turns = conversation.entries.map((entry) =>
    toTurn(entry.role === 'assistant' ? now(entry) : entry, conversation),
  );
  const { comparison, comparisonId } = conversation;
  return comparisonId === undefined
    ? turns
    : [...turns, { role: 'comparison', id: comparisonId, answers: comparison.map(now) }];
}

/** Its figures are the other window's until it has ended; what has come is counted here. */
export function answeredElsewhere(answer: AnswerTurn): AnswerTurn {
  const outputTokens = estimateTokens(answer.reasoning + answer.text);
  return { ...answer, elsewhere: true, figures: { outputTokens, estimated: true } };
}

export function toTurn(entry: Entry, conversation: Conversation): Turn {
  const branch = conversation.branchOf(entry.id);
  const shown = branch === undefined ? {} : { branch };
  if (entry.role === 'assistant') return { ...entry, ...shown };
  const { role, id, text, attachments } = entry;
  return { role, id, text, attachments: attachments.map(toAttachmentView), ...shown };
}
