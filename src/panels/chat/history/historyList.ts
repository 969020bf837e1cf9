import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { HistoryFilter, HistoryRow } from '../../../pages/chat/protocol.ts';
import { pressKey, stepped } from '../../shared/keys.ts';
import { reveal } from '../../shared/reveal.ts';
import { useStore } from '../storeContext.ts';
import { rowId } from './historyGroups.tsx';

/** Pause in typing after which the search starts, in milliseconds. */
const QUIET_MS = 120;
/** Number of rows at first, and of rows added near the end of the list. */
export const HISTORY_PAGE = 100;
/** Distance from the end of the list at which more rows are requested, in CSS pixels. */
const NEAR = 400;

/**
 * State of the history: its rows, the active row, and its keys.
 * @param current ID of the open chat.
 */
export function useHistoryList(current: string) {
  const store = useStore();
  const history = store.history.value;
  const { query, setQuery, search, filter, narrow, limit, setLimit } = useSearch();
  const [activeId, setActiveId] = useState<string | undefined>(current);
  const [renaming, setRenaming] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const isFiltered = Object.keys(filter).length > 0;
  const rows = history?.groups.flatMap((group) => group.rows) ?? [];
  const active = rows.find(({ id }) => id === activeId) ?? (query === '' && !isFiltered ? undefined : rows[0]);
  const focus = () => field.current?.focus();
  useLayoutEffect(focus, []);
  const open = (row: HistoryRow | undefined) => {
    if (row !== undefined) store.openConversation(row.id);
  };
  const move = (step: 1 | -1) => {
    const next = rows[stepped(active === undefined ? -1 : rows.indexOf(active), step, rows.length)];
    setActiveId(next?.id);
    if (next !== undefined) reveal(document.getElementById(rowId(next)));
  };
  const onKeyDown = (event: KeyboardEvent) =>
    pressKey(event, {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      Enter: () => open(active),
      F2: active && (() => setRenaming(active.id)),
      Escape: () => (query === '' ? store.closeHistory() : setQuery('')),
    });
  const onScroll = ({ currentTarget: list }: { readonly currentTarget: HTMLElement }) => {
    const isNear = list.scrollHeight - list.clientHeight - list.scrollTop < NEAR;
    const hasMore = history !== undefined && rows.length < history.count && rows.length >= limit;
    if (isNear && hasMore) setLimit(limit + HISTORY_PAGE);
  };
  return {
    history,
    query,
    search,
    filter,
    isFiltered,
    narrow,
    active,
    setActiveId,
    renaming,
    setRenaming,
    field,
    focus,
    open,
    onKeyDown,
    onScroll,
  };
}

/** The search. Each change is sent to the host, words after a pause in typing. */
function useSearch() {
  const store = useStore();
  const [query, setQuery] = useState('');
  const [filter, setFilter] = useState<HistoryFilter>({});
  const [limit, setLimit] = useState(HISTORY_PAGE);
  useEffect(() => {
    const ask = () => store.post({ type: 'history', query, filter, limit });
    const timer = setTimeout(ask, query === '' ? 0 : QUIET_MS);
    return () => clearTimeout(timer);
  }, [store, query, filter, limit]);
  const search = (text: string) => {
    setQuery(text);
    setLimit(HISTORY_PAGE);
  };
  const narrow = (to: HistoryFilter) => {
    setFilter(to);
    setLimit(HISTORY_PAGE);
  };
  return { query, setQuery, search, filter, narrow, limit, setLimit };
}

export type HistoryList = ReturnType<typeof useHistoryList>;
