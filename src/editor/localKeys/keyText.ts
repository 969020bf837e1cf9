/** Local keys in words: what they may do, and what they have spent. */
import * as l10n from '@vscode/l10n';
import { language } from '../../display/language.ts';
import { formatBalance, formatSum } from '../../display/money.ts';
import { formatTokensExact } from '../../display/tokens.ts';
import type { Budget, KeyDetails } from '../../gateway/keys/issuedKey.ts';
import type { KeySpend } from '../../gateway/keys/keySpend.ts';

/** `$5.00 a month`, `200,000 tokens in total`. */
export function budgetText({ amount, unit, period }: Budget): string {
  const sum = amountText(amount, unit);
  switch (period) {
    case 'total':
      return l10n.t('{0} in total', sum);
    case 'daily':
      return l10n.t('{0} a day', sum);
    case 'monthly':
      return l10n.t('{0} a month', sum);
  }
}

/** `$1.20 of $5.00 spent this month`, `$1.20 spent`; `undefined` when it is not known. */
export function spendText({ budget }: KeyDetails, spend: KeySpend | undefined): string | undefined {
  if (spend === undefined) return undefined;
  if (budget === undefined) return l10n.t('{0} spent', formatSum(spend.cost));
  const { amount, unit, period } = budget;
  const spent = unit === 'usd' ? formatSum(spend.cost) : formatTokensExact(spend.tokens);
  const whole = amountText(amount, unit);
  switch (period) {
    case 'total':
      return l10n.t('{0} of {1} spent', spent, whole);
    case 'daily':
      return l10n.t('{0} of {1} spent today', spent, whole);
    case 'monthly':
      return l10n.t('{0} of {1} spent this month', spent, whole);
  }
}

function amountText(amount: number, unit: Budget['unit']): string {
  return unit === 'usd' ? formatBalance(amount) : l10n.t('{0} tokens', formatTokensExact(amount));
}

/** `expires on 31 Jan 2027, 00:00`, in the form of the editor's language. */
export function expiryText({ expiresAt }: KeyDetails, now: number): string | undefined {
  if (expiresAt === undefined) return undefined;
  const when = new Date(expiresAt).toLocaleString(language(), { dateStyle: 'medium', timeStyle: 'short' });
  return expiresAt <= now ? l10n.t('expired on {0}', when) : l10n.t('expires on {0}', when);
}

/** What limits the key, each in words; empty for one without limits. */
export function limitsText(key: KeyDetails, now: number): string[] {
  const expiry = expiryText(key, now);
  return [
    ...(key.budget === undefined ? [] : [budgetText(key.budget)]),
    ...(expiry === undefined ? [] : [expiry]),
    ...(key.models === undefined ? [] : [key.models.join(', ')]),
  ];
}
