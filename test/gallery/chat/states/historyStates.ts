import { HISTORY, HISTORY_FOUND } from '../historySamples.ts';
import { BASE } from '../samples.ts';
import type { GalleryState } from './galleryState.ts';
import { CONVERSATION, chat, NOTHING_YET } from './parts.ts';

const RUNNING = HISTORY.groups
  .flatMap(({ rows }) => rows)
  .slice(1, 4)
  .map(({ id, title }, place) => ({ id, title, ...(place === 1 && ({ isWaiting: true } as const)) }));

/** States of the list of saved chats. */
export const HISTORY_STATES: readonly GalleryState[] = [
  { name: 'history', title: 'History', history: HISTORY, state: chat(CONVERSATION, { conversationId: 'h3' }) },
  {
    name: 'history-running',
    title: 'History, while chats are running',
    history: HISTORY,
    state: chat(CONVERSATION, { conversationId: 'h3', running: RUNNING }),
  },
  { name: 'history-found', title: 'History, searched', history: HISTORY_FOUND, state: chat(CONVERSATION) },
  {
    name: 'history-filter',
    title: 'History, being filtered',
    history: HISTORY,
    popover: 'filter',
    state: chat(CONVERSATION, { conversationId: 'h3' }),
  },
  {
    name: 'history-empty',
    title: 'History without chats',
    history: { ...HISTORY, groups: [], count: 0 },
    state: { ...BASE, ...NOTHING_YET },
  },
  {
    name: 'history-loading',
    title: 'History, being read',
    history: { ...HISTORY, state: 'loading', groups: [], count: 0 },
    state: { ...BASE, ...NOTHING_YET },
  },
  {
    name: 'history-failed',
    title: 'History that could not be read',
    history: { ...HISTORY, state: 'failed', groups: [], count: 0 },
    state: { ...BASE, ...NOTHING_YET },
  },
];
