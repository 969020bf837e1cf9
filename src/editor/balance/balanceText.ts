import * as l10n from '@vscode/l10n';
import { formatBalance } from '../../display/money.ts';
import { leftOf } from '../../display/teamBudget.ts';
import { formatAgo } from '../../display/time.ts';
import { type TeamAccount, tightestBudget } from '../../rules/teamAccount.ts';
import type { Balance } from '../../service/balance.ts';
import type { BalanceLevel } from '../../service/balanceLevel.ts';
import type { BalanceState } from './balanceMonitor.ts';

/** The status bar item's text. `now` is in milliseconds since the epoch. */
export function balanceText(state: BalanceState, level: BalanceLevel, now: number): string {
  if (state.connection === 'none') return `$(credit-card) ${l10n.t('Set Service Key')}`;
  const parts = [figure(state.balance)];
  if (state.connection === 'sandbox') parts.unshift(l10n.t('Sandbox'));
  else if (state.balance?.team !== undefined) parts.push(teamNote(state.balance.team, level));
  else if (level === 'exhausted') parts.push(l10n.t('Add credit'));
  if (state.problem !== undefined && state.readAt !== undefined) parts.push(formatAgo(now - state.readAt));
  const icon = state.connection === 'sandbox' ? '$(beaker)' : '$(credit-card)';
  return `${icon} ${parts.filter((part) => part !== '').join(' · ')}`;
}

/** The remaining balance in its currency, or a text that it is unknown. */
export function figure(balance: Balance | undefined): string {
  if (balance?.team !== undefined) return budgetFigure(balance.team);
  if (balance?.remaining === undefined) return l10n.t('Balance unknown');
  return money(balance.remaining, balance.currency);
}

/** Formats an amount. Currencies other than US dollars get their code, since the exchange rate is unknown. */
export function money(amount: number, currency: string): string {
  const dollars = formatBalance(amount);
  return currency === 'USD' ? dollars : `${dollars.replace('$', '')} ${currency}`;
}

/** The remaining amount of the budget that will be used up first. */
export function budgetFigure(account: TeamAccount): string {
  const budget = tightestBudget(account);
  return budget === undefined ? l10n.t('No budget') : leftOf(budget);
}

/** Says in the status bar that the team's budget is the one that is nearly used up; empty otherwise. */
function teamNote(account: TeamAccount, level: BalanceLevel): string {
  const isShort = level === 'low' || level === 'exhausted';
  return isShort && tightestBudget(account)?.of === 'team' ? l10n.t('team') : '';
}
