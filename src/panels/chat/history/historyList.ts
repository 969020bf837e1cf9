import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { HistoryFilter, HistoryRow } from '../../../editor/chat/protocol.ts';
import { stepped } from '../../shared/stepped.ts';
import { useStore } from '../storeContext.ts';
import { rowId } from './historyGroups.tsx';

/** Quiet time after the last key before it is searched, in milliseconds. */
const QUIET_MS = 120;
/** Rows at first, and as many more each time the reader comes near the end. */
export const HISTORY_PAGE = 100;
/** More rows are asked for so near the end of the list. In CSS pixels. */
const NEAR = 400;

/** What the history shows, which row the keys are at, and what they do. @param current the chat that is open. */
export function useHistoryList(current: string) {
  const store = useStore();
  const history = store.history.value;
  const [query, setQuery] = useState('');
  const [filter, setFilter] = useState<HistoryFilter>({});
  const [limit, setLimit] = useState(HISTORY_PAGE);
  const [activeId, setActiveId] = useState<string | undefined>(current);
  const [renaming, setRenaming] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const isFiltered = Object.keys(filter).length > 0;
  const rows = history?.groups.flatMap((group) => group.rows) ?? [];
  const active = rows.find(({ id }) => id === activeId) ?? (query === '' && !isFiltered ? undefined : rows[0]);
  const focus = () => field.current?.focus();
  useLayoutEffect(focus, []);
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

export type HistoryList = ReturnType<typeof useHistoryList>;
