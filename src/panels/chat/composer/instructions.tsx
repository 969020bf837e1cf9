import * as l10n from '@vscode/l10n';
import { formatTokens, formatTokensExact } from '../../../display/tokens.ts';
import type { InstructionsView } from '../../../pages/chat/protocol.ts';
import { LinkButton } from '../../shared/button.tsx';
import { Icon } from '../../shared/icon.tsx';
import { pressKey } from '../../shared/keys.ts';
import { PopoverBox } from '../controls/popoverBox.tsx';
import { useStore } from '../storeContext.ts';

/** The workspace's instructions, which are sent with every message of the chat until they are removed from it. */
export function InstructionsChip({ instructions: { label, tokens } }: { readonly instructions: InstructionsView }) {
  const store = useStore();
  const size = l10n.t('{0}, {1} tokens', label, formatTokensExact(tokens));
  const meaning = l10n.t('Workspace instructions. Sent with every message in this chat.');
  return (
    <span class="chip" title={`${size}\n${meaning}`}>
      <Icon name="book" size={14} />
      <button
        type="button"
        class="chip-label chip-open"
        data-opens="instructions"
        aria-label={size}
        aria-expanded={store.popover.value === 'instructions'}
        onClick={() => store.toggle('instructions')}
        onKeyDown={(event) => pressKey(event, { Escape: () => store.closePopover() })}
      >
        {label}
      </button>
      <span class="chip-count number">{formatTokens(tokens)}</span>
      <button
        type="button"
        class="chip-button"
        aria-label={l10n.t('Remove {0} from this chat', label)}
        title={l10n.t('Remove from this chat')}
        onClick={() => store.post({ type: 'setInstructions', isSent: false })}
      >
        <Icon name="close" size={12} />
      </button>
    </span>
  );
}

/** What the chip of the workspace's instructions means, and what can be done with them. */
export function InstructionsCard({ instructions: { label } }: { readonly instructions: InstructionsView }) {
  const store = useStore();
  const remove = () => {
    store.closePopover();
    store.post({ type: 'setInstructions', isSent: false });
  };
  return (
    <PopoverBox name="instructions" class="card-popover">
      <h2 class="card-title">{label}</h2>
      <p>{l10n.t('Workspace instructions. Sent with every message in this chat.')}</p>
      <div class="card-links">
        <LinkButton label={l10n.t('Open')} onClick={() => store.post({ type: 'openInstructions' })} />
        <LinkButton label={l10n.t('Remove from This Chat')} onClick={remove} />
      </div>
    </PopoverBox>
  );
}
