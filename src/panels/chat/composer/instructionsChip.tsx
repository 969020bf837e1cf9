import * as l10n from '@vscode/l10n';
import { formatTokens, formatTokensExact } from '../../../display/tokens.ts';
import type { InstructionsView } from '../../../editor/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { useStore } from '../storeContext.ts';

/** The workspace's instructions, which are sent with every message of the chat until they are removed from it. */
export function InstructionsChip({ instructions: { label, tokens } }: { readonly instructions: InstructionsView }) {
  const store = useStore();
  const size = l10n.t('{0}, {1} tokens', label, formatTokensExact(tokens));
  const meaning = l10n.t('Instructions of this workspace. Sent with every message of this chat.');
  return (
    <span class="chip" title={`${size}\n${meaning}`}>
      <Icon name="book" size={14} />
      <button
        type="button"
        class="chip-label chip-open"
        aria-label={l10n.t('Open {0}', label)}
        title={l10n.t('Open {0}', label)}
        onClick={() => store.post({ type: 'openInstructions' })}
      >
        {label}
      </button>
      <span class="chip-count number">{formatTokens(tokens)}</span>
      <button
        type="button"
        class="chip-remove"
        aria-label={l10n.t('Remove {0} from this chat', label)}
        title={l10n.t('Remove from this chat')}
        onClick={() => store.post({ type: 'setInstructions', isSent: false })}
      >
        <Icon name="close" size={12} />
      </button>
    </span>
  );
}
