import * as l10n from '@vscode/l10n';
import { IconButton } from '../../shared/iconButton.tsx';
import { useStore } from '../storeContext.ts';

/**
 * Starts a new chat, and opens the list of chats. At its default width, the head of the editor's side bar has no space
 * for them beside the name of the product.
 */
export function HeadButtons() {
  const store = useStore();
  return (
    <span class="head-buttons">
      <IconButton
        icon="add"
        label={l10n.t('New chat')}
        shortcut="Ctrl+N"
        class="from-280"
        onClick={() => store.newConversation()}
      />
      <IconButton icon="history" label={l10n.t('History')} onClick={() => store.openHistory()} />
    </span>
  );
}
