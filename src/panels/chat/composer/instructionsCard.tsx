import * as l10n from '@vscode/l10n';
import type { InstructionsView } from '../../../editor/chat/protocol.ts';
import { PopoverBox } from '../controls/popoverBox.tsx';
import { useStore } from '../storeContext.ts';

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
        <button type="button" class="link" onClick={() => store.post({ type: 'openInstructions' })}>
          {l10n.t('Open')}
        </button>
        <button type="button" class="link" onClick={remove}>
          {l10n.t('Remove from This Chat')}
        </button>
      </div>
    </PopoverBox>
  );
}
