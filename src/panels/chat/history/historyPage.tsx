import * as l10n from '@vscode/l10n';
import { formatSum } from '../../../display/money.ts';
import { formatTokensExact } from '../../../display/tokens.ts';
import type { HistoryView } from '../../../pages/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { IconButton } from '../../shared/iconButton.tsx';
import { useStore } from '../storeContext.ts';
import { AppliedFilters, FilterButton, FilterMenu } from './historyFilter.tsx';
import { HistoryGroups, rowId } from './historyGroups.tsx';
import { type HistoryList, useHistoryList } from './historyList.ts';
import { HistoryNote } from './historyNote.tsx';
import { RowActions } from './rowActions.tsx';

/**
 * The saved chats, with a search in titles and text. The search field keeps the focus; Tab moves to the active row's
 * actions, Shift+Tab to the filter.
 */
export function HistoryPage({ current }: { readonly current: string }) {
  const list = useHistoryList(current);
  const { history, filter, isFiltered, narrow, active, renaming, setRenaming, focus } = list;
  return (
    <section class="history-page" aria-label={l10n.t('History')}>
      <HistoryHead list={list} />
      <SearchField list={list} />
      {isFiltered && <AppliedFilters filter={filter} onChange={narrow} />}
      {history !== undefined && <HistoryNote history={history} onShowAll={() => narrow({})} />}
      <div class="history-scroll" onScroll={list.onScroll}>
        <HistoryGroups
          groups={history?.groups ?? []}
          current={current}
          active={active?.id}
          onOpen={list.open}
          onPoint={(row) => renaming === undefined && list.setActiveId(row.id)}
        />
        {active !== undefined && (
          <RowActions
            key={active.id}
            row={active}
            renaming={renaming === active.id}
            onRename={() => setRenaming(active.id)}
            onDone={() => {
              setRenaming(undefined);
              focus();
            }}
          />
        )}
      </div>
      {history !== undefined && history.count > 0 && <HistoryFoot history={history} />}
    </section>
  );
}

function HistoryHead({ list }: { readonly list: HistoryList }) {
  const store = useStore();
  const { history, filter, isFiltered, narrow, focus } = list;
  return (
    <header class="title-row history-head">
      <IconButton
        icon="arrow-left"
        label={l10n.t('Back to the chat')}
        shortcut="Escape"
        onClick={() => store.closeHistory()}
      />
      <h1 class="title">{l10n.t('History')}</h1>
      {(store.state.value?.running ?? []).length > 1 && (
        <button type="button" class="running-chats" onClick={() => store.post({ type: 'stopAllChats' })}>
          <Icon name="debug-stop" size={12} />
          {l10n.t('Stop All')}
        </button>
      )}
      <IconButton icon="add" label={l10n.t('New chat')} onClick={() => store.newConversation()} />
      <FilterButton isActive={isFiltered} />
      {store.popover.value === 'filter' && (
        <FilterMenu
          filter={filter}
          history={history ?? { models: [], hasWorkspace: false }}
          onChange={narrow}
          onClose={() => {
            store.popover.value = undefined;
            focus();
          }}
        />
      )}
    </header>
  );
}

function SearchField({ list: { field, query, search, active, onKeyDown } }: { readonly list: HistoryList }) {
  return (
    <div class="filter history-search">
      <Icon name="search" />
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-label={l10n.t('Search titles and messages')}
        aria-expanded="true"
        aria-controls="history-list"
        aria-autocomplete="list"
        aria-activedescendant={active === undefined ? undefined : rowId(active)}
        placeholder={l10n.t('Search titles and messages')}
        value={query}
        onInput={(event) => search(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

function HistoryFoot({ history: { count, cost } }: { readonly history: HistoryView }) {
  return (
    <footer class="history-foot number">
      <span>{count === 1 ? l10n.t('1 chat') : l10n.t('{0} chats', formatTokensExact(count))}</span>
      {cost !== undefined && <span>{l10n.t('{0} in all', formatSum(cost))}</span>}
    </footer>
  );
}
