import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatSum } from '../../../display/money.ts';
import { formatTokensExact } from '../../../display/tokens.ts';
import type { HistoryRow, HistoryView } from '../../../pages/chat/protocol.ts';
import { LinkButton } from '../../shared/button.tsx';
import { Icon } from '../../shared/icon.tsx';
import { IconButton } from '../../shared/iconButton.tsx';
import { isComposing } from '../../shared/keys.ts';
import { useStore } from '../storeContext.ts';
import { AppliedFilters, FilterButton, FilterMenu } from './historyFilter.tsx';
import { HistoryGroups, rowId } from './historyGroups.tsx';
import { HISTORY_PAGE, type HistoryList, useHistoryList } from './historyList.ts';

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
    <div class="filter text-box history-search">
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

interface HistoryNoteProps {
  readonly history: HistoryView;
  /** Clears the filter. */
  readonly onShowAll: () => void;
}

/** The note that is shown if there are no rows. */
function HistoryNote({ history, onShowAll }: HistoryNoteProps) {
  const store = useStore();
  const isFiltered = Object.keys(history.filter).length > 0;
  const isEmpty = history.query === '' && !isFiltered;
  if (history.state === 'failed') {
    return (
      <p class="list-note">
        <Icon name="warning" size={14} />
        <span>{l10n.t('Could not read saved chats.')}</span>
        <LinkButton
          label={l10n.t('Retry')}
          onClick={() => store.post({ type: 'history', query: '', filter: {}, limit: HISTORY_PAGE })}
        />
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
      {isFiltered && <LinkButton label={l10n.t('Show all chats')} onClick={onShowAll} />}
      {isEmpty && <LinkButton label={l10n.t('New chat')} onClick={() => store.newConversation()} />}
    </p>
  );
}

interface RowActionsProps {
  readonly row: HistoryRow;
  readonly renaming: boolean;
  readonly onRename: () => void;
  /** Called when renaming has ended or the row was removed. */
  readonly onDone: () => void;
}

/** The actions of the active row. They are placed over the row, because a listbox cannot contain buttons. */
function RowActions({ row, renaming, onRename, onDone }: RowActionsProps) {
  const store = useStore();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const place = document.getElementById(rowId(row));
    if (box.current !== null && place !== null) box.current.style.top = `${place.offsetTop}px`;
  });
  const { id, pinned, title } = row;
  const isRunning = store.state.value?.running?.some((chat) => chat.id === id) === true;
  return (
    <div ref={box} class={`row-actions${renaming ? ' renaming' : ''}`}>
      {renaming ? (
        <TitleField row={row} onDone={onDone} />
      ) : (
        <>
          {isRunning && (
            <IconButton
              icon="debug-stop"
              label={l10n.t('Stop {0}', title)}
              onClick={() => store.post({ type: 'stopChat', conversationId: id })}
            />
          )}
          <IconButton
            icon={pinned ? 'pinned' : 'pin'}
            label={pinned ? l10n.t('Unpin {0}', title) : l10n.t('Pin {0}', title)}
            onClick={() => store.post({ type: 'pinConversation', conversationId: id, pinned: !pinned })}
          />
          <IconButton icon="edit" label={l10n.t('Rename {0}', title)} shortcut="F2" onClick={onRename} />
          <IconButton
            class="from-280"
            icon="export"
            label={l10n.t('Export {0}', title)}
            onClick={() => store.post({ type: 'exportConversation', conversationId: id })}
          />
          <IconButton
            icon="trash"
            label={l10n.t('Delete {0}', title)}
            onClick={() => {
              store.post({ type: 'deleteConversation', conversationId: id });
              onDone();
            }}
          />
        </>
      )}
    </div>
  );
}

function TitleField({ row, onDone }: { readonly row: HistoryRow; readonly onDone: () => void }) {
  const store = useStore();
  const [title, setTitle] = useState(row.title);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.select(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event) || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    if (event.key === 'Enter') store.post({ type: 'renameConversation', conversationId: row.id, title });
    onDone();
  };
  return (
    <input
      ref={field}
      type="text"
      class="title-field"
      aria-label={l10n.t('Chat title')}
      value={title}
      onInput={(event) => setTitle(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={onDone}
    />
  );
}
