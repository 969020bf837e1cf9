import type { AnswerTurn, ChatHostMessage, ChatState, ChatTurn } from '../../pages/chat/protocol.ts';
import { applyDelta } from '../../rules/answer.ts';
import { answersOf } from './turns.ts';

/**
 * Returns the state after a message of the host. Turns that a message does not name keep their identity, so that they
 * are not rendered again. Before the first snapshot, and for an unknown turn, a message changes nothing.
 */
export function reduce(state: ChatState | undefined, message: ChatHostMessage): ChatState | undefined {
  if (message.type === 'state') return message.state;
  if (state === undefined) return undefined;
  switch (message.type) {
    case 'change':
      return { ...state, ...Object.fromEntries((message.cleared ?? []).map((name) => [name])), ...message.change };
    case 'turnAdded':
      return state.turns.some((turn) => turn.id === message.turn.id)
        ? withTurn(state, message.turn.id, () => message.turn)
        : { ...state, turns: [...state.turns, message.turn] };
    case 'turnChanged': {
      const { turn } = message;
      return turn.role === 'assistant' ? withAnswer(state, turn.id, () => turn) : withTurn(state, turn.id, () => turn);
    }
    case 'delta':
      return withAnswer(state, message.turnId, (answer) => appended(answer, message));
    case 'turns':
      return { ...state, turns: [...state.turns.slice(0, message.from), ...message.turns] };
    default:
      return state;
  }
}

function withTurn(state: ChatState, id: string, change: (turn: ChatTurn) => ChatTurn): ChatState {
  const index = state.turns.findLastIndex((turn) => turn.id === id);
  const turn = state.turns[index];
  if (turn === undefined) return state;
  return { ...state, turns: state.turns.with(index, change(turn)) };
}

/** Changes an answer that is a turn of its own or one of several side by side. */
function withAnswer(state: ChatState, id: string, change: (answer: AnswerTurn) => AnswerTurn): ChatState {
  const index = state.turns.findLastIndex((turn) => answersOf(turn).some((answer) => answer.id === id));
  const turn = state.turns[index];
  if (turn === undefined || turn.role === 'user') return state;
  const changed =
    turn.role === 'assistant'
      ? change(turn)
      : { ...turn, answers: turn.answers.map((answer) => (answer.id === id ? change(answer) : answer)) };
  return { ...state, turns: state.turns.with(index, changed) };
}

function appended(turn: AnswerTurn, { figures, ...delta }: ChatHostMessage & { type: 'delta' }): AnswerTurn {
  const { retry: _, ...answer } = turn;
  return { ...applyDelta<AnswerTurn>(answer, delta), ...(figures !== undefined && { figures }) };
}
