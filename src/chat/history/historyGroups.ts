import * as l10n from '@vscode/l10n';
import { language } from '../../display/language.ts';
import type { HistoryGroup, HistoryRow } from '../../pages/chat/protocol.ts';
import { sumOf } from '../../pages/chat/spentMoney.ts';

const MONTHS_FORMAT = { month: 'long', year: 'numeric' } as const;

/**
 * The rows under the headings of the list. `limit` is the maximum number of rows in all groups together; sums include
 * all rows. `now` is in milliseconds since the epoch.
 */
export function groupRows(rows: readonly HistoryRow[], now: number, limit: number): HistoryGroup[] {
  const titleOf = groupTitles(now);
  const pinned = rows.filter((row) => row.pinned);
  const others = rows.filter((row) => !row.pinned);
  const groups = [
    ...(pinned.length === 0 ? [] : [[l10n.t('Pinned'), pinned] as const]),
    ...Map.groupBy(others, ({ changedAt }) => titleOf(changedAt)),
  ];
  let left = limit;
  return groups.flatMap(([title, members]) => {
    const shown = members.slice(0, left);
    left -= shown.length;
    return shown.length === 0 ? [] : [{ title, ...sumOf(members), rows: shown }];
  });
}

function groupTitles(now: number): (at: number) => string {
  const today = new Date(now).setHours(0, 0, 0, 0);
  const daysAgo = (days: number) => new Date(today).setDate(new Date(today).getDate() - days);
  const [yesterday, lastWeek, lastMonth] = [daysAgo(1), daysAgo(7), daysAgo(30)];
  const months = new Intl.DateTimeFormat(language(), MONTHS_FORMAT);
  return (at) => {
    if (at >= today) return l10n.t('Today');
    if (at >= yesterday) return l10n.t('Yesterday');
    if (at >= lastWeek) return l10n.t('Last 7 days');
    return at >= lastMonth ? l10n.t('Last 30 days') : months.format(at);
  };
}
