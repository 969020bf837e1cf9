import * as l10n from '@vscode/l10n';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatSum } from '../../../display/money.ts';
import { formatTokensExact } from '../../../display/tokens.ts';
import type { HistoryFilter, HistoryRow, HistoryView } from '../../../editor/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { IconButton } from '../../shared/iconButton.tsx';
import { stepped } from '../../shared/stepped.ts';
import { useStore } from '../storeContext.ts';
import { AppliedFilters, FilterButton, FilterMenu } from './historyFilter.tsx';
import { HistoryGroups, rowId } from './historyGroups.tsx';
import { RowActions } from './rowActions.tsx';

/** Quiet time after the last key before it is searched, in milliseconds. */
const QUIET_MS = 120;
/** Rows at first, and as many more each time the reader comes near the end. */
const PAGE = 100;
/** More rows are asked for so near the end of the list. In CSS pixels. */
const NEAR = 400;

/**
 * The saved chats with a search over titles and text. The keys stay with the search; Tab leads on to a row's actions,
 * Shift+Tab back to the filter.
 */
export function HistoryPage({ current }: { readonly current: string }) {
  const store = useStore();
  const history = store.history.value;
  const [query, setQuery] = useState('');
  const [filter, setFilter] = useState<HistoryFilter>({});
  const [limit, setLimit] = useState(PAGE);
  const [activeId, setActiveId] = useState<string | undefined>(current);
  const [renaming, setRenaming] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const isFiltered = Object.keys(filter).length > 0;
  const rows = history?.groups.flatMap((group) => group.rows) ?? [];
  const active = rows.find(({ id }) => id === activeId) ?? (query === '' && !isFiltered ? undefined : rows[0]);
  useLayoutEffect(() => field.current?.focus(), []);
  useEffect(() => {
    const ask = () => store.post({ type: 'history', query, filter, limit });
    const timer = setTimeout(ask, query === '' ? 0 : QUIET_MS);
    return () => clearTimeout(timer);
  }, [store, query, filter, limit]);

  const narrow = (to: HistoryFilter) => {
    setFilter(to);
    setLimit(PAGE);
  };

  const open = (row: HistoryRow | undefined) => {
    if (row !== undefined) store.openConversation(row.id);
  };
  const move = (step: 1 | -1) => {
    const next = rows[stepped(active === undefined ? -1 : rows.indexOf(active), step, rows.length)];
    setActiveId(next?.id);
    if (next !== undefined) document.getElementById(rowId(next))?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter') open(active);
    else if (event.key === 'F2' && active !== undefined) setRenaming(active.id);
    else if (event.key === 'Escape' && query === '') store.closeHistory();
    else if (event.key === 'Escape') setQuery('');
    else return;
    event.preventDefault();
  };
  const onScroll = ({ currentTarget: list }: { readonly currentTarget: HTMLElement }) => {
    const isNear = list.scrollHeight - list.clientHeight - list.scrollTop < NEAR;
    if (isNear && history !== undefined && rows.length < history.count && rows.length >= limit) setLimit(limit + PAGE);
  };

  return (
    <section class="history-page" aria-label={l10n.t('History')}>
      <header class="title-row history-head">
        <IconButton
          icon="arrow-left"
          label={l10n.t('Back to the chat')}
          shortcut="Escape"
          onClick={() => store.closeHistory()}
        />
        <h1 class="title">{l10n.t('History')}</h1>
        <IconButton icon="add" label={l10n.t('New chat')} onClick={() => store.newConversation()} />
        <FilterButton isActive={isFiltered} />
        {store.popover.value === 'filter' && (
          <FilterMenu
            filter={filter}
            history={history ?? { models: [], hasWorkspace: false }}
            onChange={narrow}
            onClose={() => {
              store.popover.value = undefined;
              field.current?.focus();
            }}
          />
        )}
      </header>
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
          onInput={(event) => {
            setQuery(event.currentTarget.value);
            setLimit(PAGE);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {isFiltered && <AppliedFilters filter={filter} onChange={narrow} />}
      {history !== undefined && <Note history={history} onShowAll={() => narrow({})} />}
      <div class="history-scroll" onScroll={onScroll}>
        <HistoryGroups
          groups={history?.groups ?? []}
          current={current}
          active={active?.id}
          onOpen={open}
          onPoint={(row) => renaming === undefined && setActiveId(row.id)}
        />
        {active !== undefined && (
          <RowActions
            key={active.id}
            row={active}
            renaming={renaming === active.id}
            onRename={() => setRenaming(active.id)}
            onDone={() => {
              setRenaming(undefined);
              field.current?.focus();
            }}
          />
        )}
      </div>
      {history !== undefined && history.count > 0 && (
        <footer class="history-foot number">
          <span>{history.count === 1 ? l10n.t('1 chat') : l10n.t('{0} chats', formatTokensExact(history.count))}</span>
          {history.cost !== undefined && <span>{l10n.t('{0} in all', formatSum(history.cost))}</span>}
        </footer>
      )}
    </section>
  );
}

interface NoteProps {
  readonly history: HistoryView;
  /** Leaves the filter. */
  readonly onShowAll: () => void;
}

/** What stands in the place of rows. */
function Note({ history, onShowAll }: NoteProps) {
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
          onClick={() => store.post({ type: 'history', query: '', filter: {}, limit: PAGE })}
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
