/** A local key as the fields of its page, and what the fields cannot show. */
import type { Budget, KeyTerms } from '../../gateway/keys/issuedKey.ts';
import { budgetText } from './keyText.ts';
import type { KeyForm } from './protocol.ts';

/** A key that is changed on the page, as it was when the page was filled in. */
export type ChangedKey = KeyTerms & { readonly name: string };

/** @param known names of the models that the page lists; other names and patterns are in a field of their own. */
export function formOfKey(key: ChangedKey, known: readonly string[]): KeyForm {
  const { name, budgets = [], limits = {}, models, expiresAt } = key;
  const unit = unitOf(key);
  const amount = (period: Budget['period']) =>
    String(budgets.find((budget) => budget.period === period && budget.unit === unit)?.amount ?? '');
  return {
    name,
    unit,
    budgets: { daily: amount('daily'), monthly: amount('monthly'), total: amount('total') },
    lowersLimits: key.lowersLimits === true,
    requestsPerMinute: String(limits.requestsPerMinute ?? ''),
    parallel: String(limits.parallel ?? ''),
    tokensPerMinute: String(limits.tokensPerMinute ?? ''),
    sessionDollars: String(limits.sessionDollars ?? ''),
    ...(models !== undefined && { models: models.filter((model) => known.includes(model)) }),
    patterns: (models ?? []).filter((model) => !known.includes(model)).join(', '),
    secrets: key.secrets ?? 'default',
    expiry: expiresAt === undefined ? 'never' : 'date',
    date: expiresAt === undefined ? '' : lastDay(expiresAt),
  };
}

/** Describes the budgets in the unit that the page does not show. */
export function hiddenBudgetTexts(key: ChangedKey): readonly string[] {
  return hiddenBudgets(key).map(budgetText);
}

/**
 * The terms of a key after its page was filled in.
 * @param read the terms that the fields say.
 */
export function termsOfChange(read: KeyTerms, form: KeyForm, key: ChangedKey): KeyTerms {
  const { budgets = [] } = read;
  const hidden = hiddenBudgets(key).filter(({ period }) => budgets.every((budget) => budget.period !== period));
  const { expiresAt, measuresContext } = key;
  // The field has days only.
  const isSameDay = expiresAt !== undefined && form.expiry === 'date' && form.date === lastDay(expiresAt);
  return {
    ...read,
    ...(budgets.length + hidden.length > 0 && { budgets: [...budgets, ...hidden] }),
    ...(isSameDay && { expiresAt }),
    ...(measuresContext !== undefined && { measuresContext }),
  };
}

/** The page has one unit for all budgets, but other windows and files may mix them. */
function hiddenBudgets(key: ChangedKey): readonly Budget[] {
  return (key.budgets ?? []).filter(({ unit }) => unit !== unitOf(key));
}

function unitOf({ budgets = [] }: KeyTerms): Budget['unit'] {
  return budgets.length > 0 && budgets.every(({ unit }) => unit === 'tokens') ? 'tokens' : 'usd';
}

/** The last day on which the key is valid, such as `2027-01-31`, in the machine's time zone. */
function lastDay(expiresAt: number): string {
  const day = new Date(expiresAt - 1);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
