import * as l10n from '@vscode/l10n';
import { formatEstimate, formatSum } from '../display/money.ts';
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

/**
 * The question shown before a request exceeds the limit.
 * @param cost in US dollars, if known.
 * @param chat the title of the chat that sends the request, if the user does not see it.
 */
export function limitQuestion(
  state: LimitState,
  cost: number | undefined,
  chat?: string,
): { title: string; detail: string } {
  const { period, spent, limit } = state;
  const whole = formatSum(limit);
  const isReached = spent >= limit;
  const reached =
    period === 'daily'
      ? l10n.t('The daily limit of {0} is reached.', whole)
      : l10n.t('The monthly limit of {0} is reached.', whole);
  const passes =
    period === 'daily'
      ? l10n.t('This request may exceed the daily limit of {0}.', whole)
      : l10n.t('This request may exceed the monthly limit of {0}.', whole);
  const takes = cost === undefined ? '' : l10n.t('This request costs {0}.', formatEstimate(cost));
  const detail = [
    chat === undefined ? '' : l10n.t('The chat “{0}” sends it.', chat),
    l10n.t('{0} has been spent.', formatSum(spent)),
    takes,
    l10n.t('Once it is reached, the gateway refuses requests from tools.'),
  ];
  return { title: isReached ? reached : passes, detail: detail.filter((part) => part !== '').join(' ') };
}
