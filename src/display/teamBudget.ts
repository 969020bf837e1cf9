/** Texts about the budgets of a key of a team's gateway. */
import * as l10n from '@vscode/l10n';
import type { TeamAccount, TeamBudget } from '../rules/teamAccount.ts';
import { dayOf, formatDay } from './day.ts';
import { formatBalance, formatSum } from './money.ts';
import { formatTokens } from './tokens.ts';

/** The name of a budget, such as “My key, ci” or “Team budget”. */
export function budgetName({ of }: TeamBudget, { key }: TeamAccount): string {
  return of === 'team' ? l10n.t('Team budget') : l10n.t('My key, {0}', key.name);
}

/** “$18.40 of $40.00” */
export function usedOf({ unit, used, granted }: TeamBudget): string {
  const [part, whole] =
    unit === 'usd' ? [formatSum(used), formatSum(granted)] : [formatTokens(used), formatTokens(granted)];
  return unit === 'usd' ? l10n.t('{0} of {1}', part, whole) : l10n.t('{0} of {1} tokens', part, whole);
}

/** “resets on 1 Dec”; empty for a budget that never resets. */
export function resetText({ renewsAt }: TeamBudget): string {
  return renewsAt === undefined ? '' : l10n.t('resets on {0}', formatDay(dayOf(renewsAt)));
}

/** “$18.40 of $40.00, resets on 1 Dec” */
export function budgetFacts(budget: TeamBudget): string {
  return [usedOf(budget), resetText(budget)].filter((part) => part !== '').join(', ');
}

export function leftOf({ unit, remaining }: TeamBudget): string {
  return unit === 'usd' ? formatBalance(remaining) : l10n.t('{0} tokens', formatTokens(remaining));
}

/** A message to the administrator. It identifies the key without containing it. */
export function administratorRequest(account: TeamAccount, host: string): string {
  const { key, team } = account;
  return [
    l10n.t('Please raise a budget at {0}.', host),
    ...(team === undefined ? [] : [l10n.t('Team: {0}', team.name)]),
    l10n.t('Key: {0} (ID {1})', key.name, key.id),
    ...account.budgets.map(
      (budget) => `${budget.of === 'team' ? l10n.t('Team budget') : l10n.t('Key budget')}: ${budgetFacts(budget)}`,
    ),
  ].join('\n');
}
