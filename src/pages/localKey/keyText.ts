/** Texts for local keys: what they allow, and what they have spent. */
import * as l10n from '@vscode/l10n';
import { language } from '../../display/language.ts';
import { asSample, formatBalance, formatSum, withUnconfirmed } from '../../display/money.ts';
import { approximately, formatTokensExact } from '../../display/tokens.ts';
import type { Budget, KeyDetails } from '../../gateway/keys/issuedKey.ts';
import type { KeySpend, SpentAmount } from '../../ledger/keySpend.ts';
import { type BudgetStatus, budgetStatuses } from './budgetStatus.ts';

const PERIOD_TEXTS: Readonly<Record<Budget['period'], (sum: string) => string>> = {
  total: (sum) => l10n.t('{0} in total', sum),
  daily: (sum) => l10n.t('{0} per day', sum),
  monthly: (sum) => l10n.t('{0} per month', sum),
};

/** A budget such as `$5.00 a month` or `200,000 tokens in total`. */
export function budgetText({ amount, unit, period }: Budget): string {
  return PERIOD_TEXTS[period](amountText(amount, unit));
}

/**
 * The spending of all budgets, such as `$1.20 of $5.00 spent this month`, or `$1.20 spent` without budgets; `undefined`
 * if unknown.
 */
export function spendText(key: KeyDetails, spend: KeySpend | undefined): string | undefined {
  const statuses = budgetStatuses(key, spend);
  if (statuses.length > 0) return statuses.map(budgetStatusText).join(' · ');
  const total = spend?.spent.total;
  return total === undefined ? undefined : l10n.t('{0} spent', spentCostText(total));
}

/** The cost of a key's requests, marked if it contains estimates: `$0.31`, `≈ $0.31`, `$0.31 + sample $0.02`. */
export function spentCostText({ cost, sample = 0, estimated }: SpentAmount): string {
  const hasEstimates = cost > 0 && estimated > 0;
  if (sample > 0 && sample >= cost) return asSample(marked(formatSum(sample), hasEstimates));
  const real = marked(formatSum(cost - sample), hasEstimates);
  return sample === 0 ? real : `${real} + ${asSample(formatSum(sample))}`;
}

/** The spending in total, and how much of it no upstream has confirmed; `undefined` if all of it is confirmed. */
export function unconfirmedText(spend: KeySpend | undefined): string | undefined {
  const { total } = spend?.spent ?? {};
  const amount = total ?? Object.values(spend?.spent ?? {})[0];
  return amount?.unconfirmed === undefined ? undefined : withUnconfirmed(spentCostText(amount), amount.unconfirmed);
}

function marked(text: string, isEstimated: boolean): string {
  return isEstimated ? approximately(text) : text;
}

/** The amount, without a unit if it is tokens. */
function partText({ budget, spent, isEstimated }: BudgetStatus): string {
  return marked(budget.unit === 'usd' ? formatSum(spent) : formatTokensExact(spent), spent > 0 && isEstimated);
}

const SPENT_TEXTS: Readonly<Record<Budget['period'], (part: string, whole: string) => string>> = {
  total: (part, whole) => l10n.t('{0} of {1} spent', part, whole),
  daily: (part, whole) => l10n.t('{0} of {1} spent today', part, whole),
  monthly: (part, whole) => l10n.t('{0} of {1} spent this month', part, whole),
};

function budgetStatusText(standing: BudgetStatus): string {
  const { amount, unit, period } = standing.budget;
  return SPENT_TEXTS[period](partText(standing), amountText(amount, unit));
}

/** Spending and budget, such as `$1.20 of $5.00` or `1,284 of 200,000 tokens`. */
export function spentOfText(standing: BudgetStatus): string {
  const { amount, unit } = standing.budget;
  if (unit === 'usd') return l10n.t('{0} of {1}', partText(standing), formatBalance(amount));
  return l10n.t('{0} of {1} tokens', partText(standing), formatTokensExact(amount));
}

const BUDGET_NAMES: Readonly<Record<Budget['period'], () => string>> = {
  total: () => l10n.t('total budget'),
  daily: () => l10n.t('daily budget'),
  monthly: () => l10n.t('monthly budget'),
};

/** A name such as `daily budget`, for a sentence or a list. */
export const budgetName = (period: Budget['period']): string => BUDGET_NAMES[period]();

function amountText(amount: number, unit: Budget['unit']): string {
  return unit === 'usd' ? formatBalance(amount) : l10n.t('{0} tokens', formatTokensExact(amount));
}

/** The expiry, such as `expires on 31 Jan 2027, 00:00`, in the format of the editor's language. */
export function expiryText({ expiresAt }: KeyDetails, now: number): string | undefined {
  if (expiresAt === undefined) return undefined;
  const when = new Date(expiresAt).toLocaleString(language(), { dateStyle: 'medium', timeStyle: 'short' });
  return expiresAt <= now ? l10n.t('expired on {0}', when) : l10n.t('expires on {0}', when);
}

/** Limits such as `2 in parallel`, `60 requests per minute`, `200,000 tokens per minute`, and `$5.00 per session`. */
export function requestLimitsText({ limits = {} }: KeyDetails): string[] {
  const { parallel, requestsPerMinute, tokensPerMinute, sessionDollars } = limits;
  return [
    ...(parallel === undefined ? [] : [l10n.t('{0} in parallel', formatTokensExact(parallel))]),
    ...(requestsPerMinute === undefined
      ? []
      : [l10n.t('{0} requests per minute', formatTokensExact(requestsPerMinute))]),
    ...(tokensPerMinute === undefined ? [] : [l10n.t('{0} tokens per minute', formatTokensExact(tokensPerMinute))]),
    ...(sessionDollars === undefined ? [] : [l10n.t('{0} per session', formatBalance(sessionDollars))]),
  ];
}

/** All limits of the key, one text each; empty if it has none. */
export function limitsText(key: KeyDetails, now: number): string[] {
  const expiry = expiryText(key, now);
  return [
    ...(key.budgets ?? []).map(budgetText),
    ...requestLimitsText(key),
    ...(expiry === undefined ? [] : [expiry]),
    ...(key.models === undefined ? [] : [key.models.join(', ')]),
  ];
}
