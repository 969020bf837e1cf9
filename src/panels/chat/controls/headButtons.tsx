import * as l10n from '@vscode/l10n';
import { Icon } from '../../shared/icon.tsx';
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
      <RunningChats />
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

/** Counts the chats in which something runs, once there is one that is not shown here, and lists them in the history. */
function RunningChats() {
  const store = useStore();
  const running = store.state.value?.running ?? [];
  const others = running.filter(({ id }) => id !== store.state.value?.conversationId);
  if (others.length === 0) return null;
  const waiting = others.filter(({ isWaiting }) => isWaiting === true);
  const isWaiting = waiting.length > 0;
  return (
    <button
      type="button"
      class={`running-chats number${isWaiting ? ' waiting' : ''}`}
      title={(isWaiting ? waiting : running).map(({ title }) => title || l10n.t('New chat')).join('\n')}
      onClick={() => store.openHistory()}
    >
      {isWaiting ? <Icon name="debug-pause" size={12} /> : <span class="spinner" />}
      {isWaiting ? l10n.t('{0} waiting', waiting.length) : l10n.t('{0} running', running.length)}
    </button>
  );
}
