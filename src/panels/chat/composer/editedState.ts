import type { ChatState } from '../../../pages/chat/protocol.ts';

/** Returns the state as if the edited message were in the composer. */
export function editedState(state: ChatState): ChatState {
  const { edited, editEstimate = { state: 'none' } } = state;
  return { ...state, estimate: editEstimate, ...(edited !== undefined && { model: edited.model }) };
}
