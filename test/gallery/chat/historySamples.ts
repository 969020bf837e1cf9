import type { HistoryFilter, HistoryRow, HistoryView } from '../../../src/pages/chat/protocol.ts';
import { NOW } from './samples.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function row(id: string, title: string, model: string, minutesAgo: number, cost?: number, messages = 4): HistoryRow {
  const changedAt = NOW - minutesAgo * MINUTE;
  return { id, title, model, messages, changedAt, pinned: false, ...(cost !== undefined && { cost }) };
}

const PINNED: readonly HistoryRow[] = [
  { ...row('h1', 'Release checklist', 'familya-opus-4.6', 9000, 0.874, 41), pinned: true },
  { ...row('h2', 'House style for error text', 'familya-sonnet-4.6', 12_000, 0.418, 22), pinned: true },
];
const TODAY: readonly HistoryRow[] = [
  row('h3', 'Session refresh race', 'familya-sonnet-4.6', 2, 0.0349),
  row('h4', 'Why the third retry never fires', 'familyc-5.3-codex', 80, 0.184),
  { ...row('h5', 'Session refresh race (fork)', 'familya-haiku-4.5', 87, 0.0011), isFork: true },
];
const YESTERDAY: readonly HistoryRow[] = [
  row('h6', 'Idempotent migration', 'familya-opus-4.6', 1032, 0.206),
  row('h7', 'Flaky snapshot in CI', 'familyb-3.1-pro', 1180, 0.0932),
  row('h8', 'Name this hook', 'familyb-3-flash-preview', 1374, 0.0006),
  row('h9', 'Build graph walkthrough', 'familyc-5.4', 1509, 0.0868),
];
const EARLIER: readonly HistoryRow[] = [
  row('h10', 'Shrink the container image', 'familyd-code-fast-1', (2 * DAY) / MINUTE, 0.0142),
  row('h11', 'Port the parser to streams', 'familya-opus-4.5', (3 * DAY) / MINUTE, 1.62),
];

const ALL = {
  filter: {},
  models: [
    'familya-haiku-4.5',
    'familya-opus-4.5',
    'familya-opus-4.6',
    'familya-sonnet-4.6',
    'familyb-3-flash-preview',
    'familyb-3.1-pro',
    'familyc-5.3-codex',
    'familyc-5.4',
    'familyd-code-fast-1',
  ],
  hasWorkspace: true,
} satisfies Partial<HistoryView>;

export const HISTORY: HistoryView = {
  ...ALL,
  state: 'known',
  query: '',
  groups: [
    { title: 'Pinned', cost: 1.292, rows: PINNED },
    { title: 'Today', cost: 0.22, rows: TODAY },
    { title: 'Yesterday', cost: 0.3866, rows: YESTERDAY },
    { title: 'Last 7 days', cost: 1.6342, rows: EARLIER },
  ],
  count: 38,
  cost: 6.91,
};

export const HISTORY_FOUND: HistoryView = {
  ...ALL,
  state: 'known',
  query: 'retry',
  groups: [
    {
      title: 'Today',
      cost: 0.184,
      rows: TODAY.slice(1, 2).map((found) => ({
        ...found,
        excerpt: ['…only then does the ', 'retry', ' count go up, which is why the third one never'],
      })),
    },
  ],
  count: 1,
  cost: 0.184,
};

/** Filters the list as the host does. No sample row belongs to another workspace. */
export function narrowed(history: HistoryView, filter: HistoryFilter): HistoryView {
  const passes = ({ pinned, model }: HistoryRow) =>
    (filter.pinned !== true || pinned) && (filter.model === undefined || filter.model === model);
  if (Object.keys(filter).length === 0) return history;
  const groups = history.groups
    .map((group) => ({ ...group, rows: group.rows.filter(passes) }))
    .filter(({ rows }) => rows.length > 0);
  const count = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  return { ...history, filter, groups, count };
}
