import * as l10n from '@vscode/l10n';
import { formatEstimate, formatSum } from '../display/money.ts';
import type { LimitState } from './limitState.ts';

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
