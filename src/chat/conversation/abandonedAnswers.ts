import { randomUUID } from 'node:crypto';
import { defined } from '../../formats/json.ts';
import type { ExchangeRow } from '../../ledger/exchangeQuery.ts';
import type { AnswerFigures, AnswerTurn } from '../../pages/chat/protocol.ts';
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

/**
 * Ends answers whose window crashed with the last figures in the ledger, so that both show the same. Returns the IDs of
 * changed answers.
 */
export async function finishLostAnswers(
  conversation: LiveConversation,
  answerIds: readonly string[],
  rowsOf: (conversationId: string) => Promise<readonly ExchangeRow[]>,
): Promise<readonly string[]> {
  if (answerIds.length === 0) return [];
  const rows = await rowsOf(conversation.id);
  return answerIds.filter((id) => {
    const row = rows.find((each) => each.id === id && each.end === 'lost');
    const figures = row && figuresOf(row);
    if (figures === undefined || !conversation.value.unfinished.includes(id)) return false;
    conversation.record({ type: 'answerEnd', id, status: 'stopped', figures });
    return true;
  });
}

function figuresOf({ usage, usageIsEstimated = false, cost }: ExchangeRow): AnswerFigures | undefined {
  if (usage === undefined) return undefined;
  const { inputTokens, outputTokens, reasoningTokens } = usage;
  const known = defined({ reasoningTokens: reasoningTokens || undefined, cost });
  return { inputTokens, outputTokens, estimated: usageIsEstimated, ...known };
}
