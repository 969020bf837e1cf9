import * as l10n from '@vscode/l10n';
import type { HistoryView } from '../../../pages/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { useStore } from '../storeContext.ts';
import { HISTORY_PAGE } from './historyList.ts';

interface HistoryNoteProps {
  readonly history: HistoryView;
  /** Clears the filter. */
  readonly onShowAll: () => void;
}

/** The note that is shown if there are no rows. */
export function HistoryNote({ history, onShowAll }: HistoryNoteProps) {
  const store = useStore();
  const isFiltered = Object.keys(history.filter).length > 0;
  const isEmpty = history.query === '' && !isFiltered;
  if (history.state === 'failed') {
    return (
      <p class="list-note">
        <Icon name="warning" size={14} />
        <span>{l10n.t('Could not read saved chats.')}</span>
        <button
          type="button"
          class="link"
          onClick={() => store.post({ type: 'history', query: '', filter: {}, limit: HISTORY_PAGE })}
        >
          {l10n.t('Retry')}
        </button>
      </p>
    );
  }
  if (history.count > 0) return null;
  if (history.state === 'loading') {
    return (
      <div class="history-waiting" aria-hidden="true">
        {Array.from({ length: 6 }, (_, index) => (
          <span key={index} />
        ))}
      </div>
    );
  }
  return (
    <p class="list-note">
      {isEmpty ? l10n.t('No chats yet.') : l10n.t('No chats match.')}
      {isFiltered && (
        <button type="button" class="link" onClick={onShowAll}>
          {l10n.t('Show all chats')}
        </button>
      )}
      {isEmpty && (
        <button type="button" class="link" onClick={() => store.newConversation()}>
          {l10n.t('New chat')}
        </button>
      )}
    </p>
  );
}
