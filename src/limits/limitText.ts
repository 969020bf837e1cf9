import * as l10n from '@vscode/l10n';
import { formatSum } from '../display/money.ts';
import { formatShare } from '../display/tokens.ts';
import { type LimitState, limitLevel, shareOf, tightest } from './limitState.ts';

/** A note such as “82% of today’s limit”; empty if no limit is nearly reached. */
export function limitNote(states: readonly LimitState[]): string {
  const nearest = tightest(states);
  const level = limitLevel(states);
  if (nearest === undefined || level === 'normal') return '';
  if (level === 'reached')
    return nearest.period === 'daily' ? l10n.t('Daily limit reached') : l10n.t('Monthly limit reached');
  const share = formatShare(shareOf(nearest));
  return nearest.period === 'daily'
    ? l10n.t('{0} of the daily limit', share)
    : l10n.t('{0} of the monthly limit', share);
}

/** A row for each limit, and a note on how far limits can be exceeded. Empty without limits. */
export function limitRows(limits: readonly LimitState[]): string[] {
  if (limits.length === 0) return [];
  const note = l10n.t(
    'Requests in progress in other windows or in the gateway are not counted yet, so the limit can be exceeded by their cost.',
  );
  return [...limits.map(limitRow), note];
}

/** A row such as “Today: $4.10 of $5.00”. */
function limitRow({ period, spent, limit }: LimitState): string {
  const [part, whole] = [formatSum(spent), formatSum(limit)];
  return period === 'daily' ? l10n.t('Today: {0} of {1}', part, whole) : l10n.t('This month: {0} of {1}', part, whole);
}
