/** The conversation as the panel shows it. */

import type { AnswerTurn, ChatTurn } from '../../pages/chat/protocol.ts';
import { estimateTokens } from '../../tokens/estimate.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { type Entry, toAttachmentView } from '../conversation/entry.ts';
import { shownCalls } from './helperViews.ts';

/** Answers in progress. */
export interface UnderWay {
  /** The answers of this window in their current state, including waits for a retry. */
  readonly running?: readonly AnswerTurn[];
  /** The IDs of those that other windows are writing. */
  readonly elsewhere?: ReadonlySet<string>;
  /** Whether the last run was interrupted, so that none of its calls runs. */
  readonly isInterrupted?: boolean;
}

export function turnsOf(conversation: Conversation, underWay: UnderWay = {}): ChatTurn[] {
  const { running = [], elsewhere, isInterrupted } = underWay;
  const now = (answer: AnswerTurn) =>
    elsewhere?.has(answer.id) === true
      ? answeredElsewhere(answer)
      : (running.find(({ id }) => id === answer.id) ?? answer);
  const turns = conversation.entries.map((entry) =>
    toTurn(entry.role === 'assistant' ? now(entry) : entry, conversation, isInterrupted),
  );
  const { comparison, comparisonId } = conversation;
  return comparisonId === undefined
    ? turns
    : [...turns, { role: 'comparison', id: comparisonId, answers: comparison.map(now) }];
}

/** Until the answer ends, only the other window knows its figures, so the text so far is counted here. */
export function answeredElsewhere(answer: AnswerTurn): AnswerTurn {
  const outputTokens = estimateTokens(answer.reasoning + answer.text);
  return { ...answer, elsewhere: true, figures: { outputTokens, estimated: true } };
}

export function toTurn(entry: Entry, conversation: Conversation, isInterrupted = false): ChatTurn {
  const branch = conversation.branchOf(entry.id);
  const shown = branch === undefined ? {} : { branch };
  if (entry.role === 'assistant') {
    const isOther = isInterrupted || conversation.helpersOf(entry.id).length > 0;
    return { ...entry, ...(isOther && { toolCalls: shownCalls(entry, conversation, isInterrupted) }), ...shown };
  }
  return { ...entry, attachments: entry.attachments.map(toAttachmentView), ...shown };
}
