import type { AnswerTurn, ChatState, ChatTurn } from '../../pages/chat/protocol.ts';
import { isRunning } from '../../rules/answer.ts';

/** Returns the answers of a turn: none for a question, several for a comparison. */
export function answersOf(turn: ChatTurn): readonly AnswerTurn[] {
  if (turn.role === 'user') return [];
  return turn.role === 'assistant' ? [turn] : turn.answers;
}

/** Returns the answer of this window that is in progress, if any. */
export function runningAnswer(state: ChatState | undefined): AnswerTurn | undefined {
  return state?.turns.flatMap(answersOf).find((answer) => isRunning(answer) && answer.elsewhere === undefined);
}

/** Whether another window is answering in this chat. */
export function isAnsweredElsewhere(state: ChatState | undefined): boolean {
  const isElsewhere = (answer: AnswerTurn) => answer.elsewhere === true && isRunning(answer);
  return state?.turns.some((turn) => answersOf(turn).some(isElsewhere)) === true;
}

/** Returns the side-by-side answers of which one must be kept before the chat continues. */
export function openComparison(state: ChatState | undefined): readonly AnswerTurn[] {
  const last = state?.turns.at(-1);
  return last?.role === 'comparison' ? last.answers : [];
}

/** Returns the names of the files that the questions have attached, in whole or in part, each once. */
export function attachedFiles(state: ChatState | undefined): readonly string[] {
  const attached = state?.turns.flatMap((turn) => (turn.role === 'user' ? turn.attachments : [])) ?? [];
  const files = attached.filter(({ kind }) => kind === 'file' || kind === 'selection');
  // A selection has its lines after the name.
  return [...new Set(files.map(({ label }) => label.replace(/:\d.*$/, '')))];
}

/** What was paid for the answers shown, in US dollars. */
export function paidIn(turns: readonly ChatTurn[]): number {
  const figures = turns.flatMap(answersOf).flatMap((answer) => answer.figures ?? []);
  return figures.reduce((sum, { cost = 0, copiedCost = 0 }) => sum + cost - copiedCost, 0);
}

/** Returns the index of the turn to which a key moves from the turn at `index`; -1 if there is none. */
export function nextTurn(key: string, index: number, count: number): number {
  if (index === -1) return -1;
  switch (key) {
    case 'ArrowUp':
      return Math.max(0, index - 1);
    case 'ArrowDown':
      return Math.min(count - 1, index + 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return -1;
  }
}
