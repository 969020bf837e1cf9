import * as l10n from '@vscode/l10n';
import { language } from '../../display/language.ts';
import { formatBalance } from '../../display/money.ts';
import { formatTokensExact } from '../../display/tokens.ts';
import type { KeyForm } from '../../pages/localKey/protocol.ts';
import type { BudgetPeriod } from '../../rules/period.ts';
import { numberIn } from '../../rules/typedNumber.ts';

const SECRET_TEXTS: Readonly<Record<KeyForm['secrets'], () => string[]>> = {
  default: () => [],
  off: () => [l10n.t('Its requests are not searched for secrets.')],
  report: () => [l10n.t('Secrets in its requests are shown in Traffic.')],
  seal: () => [l10n.t('Secrets in its requests are replaced before they are sent, and restored in answers.')],
  refuse: () => [l10n.t('Its requests with secrets are refused.')],
};

/** Longer lists are shown as a number. */
const MAX_NAMED = 3;

export interface KeySummary {
  /** What the key allows, and until when. */
  readonly sentences: readonly string[];
  /** True if the key has neither a budget nor a list of models. */
  readonly isUnlimited: boolean;
}

export function summaryOf(form: KeyForm): KeySummary {
  if (!hasNumbers(form)) {
    return {
      sentences: [l10n.t('What the key can do is shown here once all amounts are numbers.')],
      isUnlimited: false,
    };
  }
  const name = form.name.trim() === '' ? l10n.t('The key') : form.name.trim();
  const budgets = (['daily', 'monthly', 'total'] as const).flatMap((period) => budgetText(form, period));
  const spends =
    budgets.length === 0
      ? l10n.t('{0} can spend without limit on {1}.', name, modelsText(form))
      : l10n.t('{0} can spend {1} on {2}.', name, listed(budgets), modelsText(form));
  const limits = [
    ...limitText(form.requestsPerMinute, (typed) => l10n.t('{0} requests per minute', count(typed))),
    ...limitText(form.tokensPerMinute, (typed) => l10n.t('{0} tokens per minute', count(typed))),
    ...limitText(form.parallel, (typed) => l10n.t('{0} in parallel', count(typed))),
  ];
  const cap = limitText(form.sessionDollars, (typed) => l10n.t('A session can spend {0}.', dollars(typed)));
  return {
    sentences: [
      spends,
      ...(limits.length === 0 ? [] : [l10n.t('It can send {0}.', listed(limits))]),
      ...cap,
      ...SECRET_TEXTS[form.secrets](),
      ...expiryText(form),
    ],
    isUnlimited: budgets.length === 0 && form.models === undefined,
  };
}

/** A summary of an amount that is no number would say what nobody can hold to. */
function hasNumbers({ budgets, requestsPerMinute, parallel, tokensPerMinute, sessionDollars }: KeyForm): boolean {
  const typed = [...Object.values(budgets), requestsPerMinute, parallel, tokensPerMinute, sessionDollars];
  return typed.every((text) => text.trim() === '' || numberIn(text) >= 0);
}

const PERIOD_TEXTS: Readonly<Record<BudgetPeriod, (amount: string) => string>> = {
  total: (amount) => l10n.t('{0} in total', amount),
  daily: (amount) => l10n.t('{0} per day', amount),
  monthly: (amount) => l10n.t('{0} per month', amount),
};

function budgetText({ budgets, unit }: KeyForm, period: BudgetPeriod): string[] {
  const typed = budgets[period].trim();
  if (typed === '') return [];
  const amount = unit === 'usd' ? dollars(typed) : l10n.t('{0} tokens', count(typed));
  return [PERIOD_TEXTS[period](amount)];
}

/** Amounts are written as the gateway understands them, which may not be what a person meant by a comma. */
function dollars(typed: string): string {
  return formatBalance(numberIn(typed));
}

function count(typed: string): string {
  return formatTokensExact(numberIn(typed));
}

function limitText(typed: string, words: (typed: string) => string): string[] {
  return typed.trim() === '' ? [] : [words(typed.trim())];
}

function modelsText({ models: selected, patterns }: KeyForm): string {
  if (selected === undefined) return l10n.t('all models');
  const typed = patterns.split(',').map((name) => name.trim());
  const models = [...selected, ...typed.filter((name) => name !== '')];
  return models.length <= MAX_NAMED && models.length > 0 ? listed(models) : l10n.t('{0} models', models.length);
}

function expiryText({ expiry, date }: KeyForm): string[] {
  if (expiry === 'never') return [];
  if (expiry === 'month') return [l10n.t('It expires in 30 days.')];
  const day = new Date(`${date}T00:00`);
  if (Number.isNaN(day.getTime())) return [];
  return [l10n.t('It is valid until {0}.', day.toLocaleDateString(language(), { dateStyle: 'long' }))];
}

function listed(parts: readonly string[]): string {
  return new Intl.ListFormat(language(), { type: 'conjunction' }).format(parts);
}
