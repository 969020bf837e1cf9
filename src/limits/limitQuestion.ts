import * as l10n from '@vscode/l10n';
import { formatEstimate, formatSum } from '../display/money.ts';
import type { LimitState } from './limitState.ts';

/** The question shown before a request exceeds the limit. `cost` is in US dollars, if known. */
export function limitQuestion(state: LimitState, cost: number | undefined): { title: string; detail: string } {
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
    l10n.t('{0} has been spent.', formatSum(spent)),
    takes,
    l10n.t('Once it is reached, the gateway refuses requests from tools.'),
  ];
  return { title: isReached ? reached : passes, detail: detail.filter((part) => part !== '').join(' ') };
}
