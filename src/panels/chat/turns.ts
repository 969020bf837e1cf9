import type { AnswerTurn, ChatState, Turn } from '../../editor/chat/protocol.ts';
import { isRunning } from '../../rules/answer.ts';

/** The answers of a turn: none of a question, several where models are compared. */
export function answersOf(turn: Turn): readonly AnswerTurn[] {
  if (turn.role === 'user') return [];
  return turn.role === 'assistant' ? [turn] : turn.answers;
}

/** An answer of this window that is on its way, if any. */
export function runningAnswer(state: ChatState | undefined): AnswerTurn | undefined {
  return state?.turns.flatMap(answersOf).find((answer) => isRunning(answer) && answer.elsewhere === undefined);
}

/** Whether another window is answering in this conversation. */
export function isAnsweredElsewhere(state: ChatState | undefined): boolean {
  const isElsewhere = (answer: AnswerTurn) => answer.elsewhere === true && isRunning(answer);
  return state?.turns.some((turn) => answersOf(turn).some(isElsewhere)) === true;
}

/** The answers of which one is to be kept before the conversation goes on. */
export function openComparison(state: ChatState | undefined): readonly AnswerTurn[] {
  const last = state?.turns.at(-1);
  return last?.role === 'comparison' ? last.answers : [];
}
