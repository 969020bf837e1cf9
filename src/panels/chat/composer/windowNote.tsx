import { formatTokens, formatWindow } from '../../../display/tokens.ts';
import type { ChatState } from '../../../editor/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { useStore } from '../storeContext.ts';
import { contextWindowOf, type LargestPart, largerModel, largestPart, tokensOver } from './contextWindow.ts';

/** Before sending: the request is too large for the model, which part of it is the largest, and what helps. */
export function WindowNote({ state }: { readonly state: ChatState }) {
  const store = useStore();
  const over = tokensOver(state.estimate, contextWindowOf(state));
  if (over === 0) return null;
  const part = largestPart(state);
  const larger = largerModel(state);
  return (
    <div class="card warning">
      <Icon name="warning" />
      <div class="card-body">
        <h2 class="card-title">{formatWindow(over)} tokens over the window</h2>
        <p class="card-text number">{largestText(part)}</p>
        <div class="buttons">
          {part.kind === 'attachment' && (
            <button
              type="button"
              class="button"
              onClick={() => store.post({ type: 'detach', attachmentId: part.attachment.id })}
            >
              Remove {part.attachment.label}
            </button>
          )}
          {part.kind === 'history' && (
            <button type="button" class="button" onClick={() => store.post({ type: 'newConversation' })}>
              New chat
            </button>
          )}
          {larger !== undefined && (
            <button
              type="button"
              class="button"
              title={`${larger.id}, ${formatWindow(larger.contextWindow ?? 0)} tokens`}
              onClick={() => store.post({ type: 'chooseModel', model: larger.id })}
            >
              Larger model
            </button>
          )}
        </div>
      </div>
    </div>
  );
}

function largestText(part: LargestPart): string {
  const tokens = formatTokens(part.tokens);
  if (part.kind === 'attachment') return `The largest part is ${part.attachment.label}, at ${tokens}.`;
  if (part.kind === 'history') return `The largest part is the conversation so far, at ${tokens}.`;
  return `The largest part is your message, at ${tokens}. Shorten it to send it.`;
}
