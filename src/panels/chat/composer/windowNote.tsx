import * as l10n from '@vscode/l10n';
import { formatTokens, formatWindow } from '../../../display/tokens.ts';
import type { AttachmentView, ChatState } from '../../../pages/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { contextWindowOf, type LargestPart, largerModel, largestPart, tokensOver } from '../meter/contextWindow.ts';
import { useStore } from '../storeContext.ts';

/** The note before sending if the request is too large for the model: its largest part, and how to reduce it. */
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
        <h2 class="card-title">{l10n.t('{0} tokens over the context window', formatWindow(over))}</h2>
        <p class="card-text number">{largestText(part)}</p>
        <div class="buttons">
          {part.kind === 'attachment' && <AttachmentButton attachment={part.attachment} over={over} />}
          {part.kind === 'history' && (
            <button type="button" class="button" onClick={() => store.post({ type: 'newConversation' })}>
              {l10n.t('New chat')}
            </button>
          )}
          {larger !== undefined && (
            <button
              type="button"
              class="button"
              title={l10n.t('{0}, {1} tokens', larger.id, formatWindow(larger.contextWindow ?? 0))}
              onClick={() => store.post({ type: 'chooseModel', model: larger.id })}
            >
              {l10n.t('Larger model')}
            </button>
          )}
        </div>
      </div>
    </div>
  );
}

/** The minimum length that must remain of a trimmed attachment, in tokens. */
const MIN_TOKENS = 500;

/** Trims the attachment, or removes it if nothing would remain. */
function AttachmentButton({ attachment, over }: { readonly attachment: AttachmentView; readonly over: number }) {
  const store = useStore();
  const { id, kind, label, tokens = 0 } = attachment;
  const canTrim = kind !== 'image' && tokens - over > MIN_TOKENS;
  return (
    <button
      type="button"
      class="button"
      onClick={() => store.post({ type: canTrim ? 'trim' : 'detach', attachmentId: id })}
    >
      {canTrim ? l10n.t('Trim {0}', label) : l10n.t('Remove {0}', label)}
    </button>
  );
}

function largestText(part: LargestPart): string {
  const tokens = formatTokens(part.tokens);
  if (part.kind === 'attachment') return l10n.t('The largest part is {0}, at {1}.', part.attachment.label, tokens);
  if (part.kind === 'history') return l10n.t('The largest part is the chat so far, at {0}.', tokens);
  return l10n.t('The largest part is your message, at {0}. Shorten it to send it.', tokens);
}
