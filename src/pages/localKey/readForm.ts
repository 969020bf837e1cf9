import * as l10n from '@vscode/l10n';
import type { KeyTerms } from '../../gateway/keys/issuedKey.ts';
import { checkedName, checkedTerms, LocalKeyError } from '../../gateway/keys/keyTerms.ts';
import type { BudgetPeriod } from '../../rules/period.ts';
import { numberIn } from '../../rules/typedNumber.ts';
import type { KeyForm, KeyFormField, KeyFormProblems, KeyLimitField } from './protocol.ts';

const MONTH_MS = 30 * 24 * 60 * 60 * 1000;
const LIMITS: readonly KeyLimitField[] = ['requestsPerMinute', 'parallel', 'tokensPerMinute', 'sessionDollars'];
const PERIODS: readonly BudgetPeriod[] = ['daily', 'monthly', 'total'];

export interface KeyOfForm {
  readonly name: string;
  readonly terms: KeyTerms;
  /** Empty if the key can be created. */
  readonly problems: KeyFormProblems;
}

/**
 * @param others Names of the existing keys.
 * @param now In milliseconds since the epoch.
 */
export function readForm(form: KeyForm, others: readonly string[], now: number): KeyOfForm {
  const problems: { [Field in KeyFormField]?: string } = {};
  const checked = <Value>(field: KeyFormField, fallback: Value, check: () => Value): Value => {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof LocalKeyError)) throw error;
      problems[field] = error.message;
      return fallback;
    }
  };
  const terms = (field: KeyFormField, of: () => KeyTerms) => checked(field, {}, () => checkedTerms(of(), now));

  const name = checked('name', '', () => checkedName(form.name, others));
  const budgets = PERIODS.flatMap((period) => {
    if (form.budgets[period].trim() === '') return [];
    const budget = () => ({ period, unit: form.unit, amount: typedAmount(form.budgets[period]) });
    return terms(period, () => ({ budgets: [budget()] })).budgets ?? [];
  });
  const limits = LIMITS.map((field) =>
    form[field].trim() === '' ? {} : terms(field, () => ({ limits: { [field]: typedAmount(form[field]) } })).limits,
  );
  const models = form.models && [...form.models, ...namesIn(form.patterns)];
  const allowed = models === undefined ? {} : terms('models', () => ({ models }));
  const secrets = form.secrets === 'default' ? {} : { secrets: form.secrets };
  const expiry = checked('date', {}, () => expiryOf(form, now));
  return {
    name,
    terms: checkedTerms(
      {
        budgets,
        lowersLimits: form.lowersLimits,
        limits: Object.assign({}, ...limits),
        ...allowed,
        ...secrets,
        ...expiry,
      },
      now,
    ),
    problems,
  };
}

/** @throws {LocalKeyError} that says what to enter, because the terms of a key can only say what they must be. */
function typedAmount(text: string): number {
  const amount = numberIn(text);
  if (Number.isNaN(amount)) throw new LocalKeyError(l10n.t('Enter a number, such as 5.'));
  if (amount < 0) throw new LocalKeyError(l10n.t('Enter a number greater than 0, such as 5.'));
  return amount;
}

function expiryOf({ expiry, date }: KeyForm, now: number): Pick<KeyTerms, 'expiresAt'> {
  if (expiry === 'never') return {};
  if (expiry === 'month') return { expiresAt: now + MONTH_MS };
  const expiresAt = endOfDay(date);
  if (expiresAt === undefined) throw new LocalKeyError(l10n.t('Enter a date as year-month-day, such as 2027-01-31.'));
  return checkedTerms({ expiresAt }, now);
}

/** Returns the midnight that ends the day, in the machine's time zone. */
function endOfDay(text: string): number | undefined {
  const [, year, month, day] = /^\s*(\d{4})-(\d\d?)-(\d\d?)\s*$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const date = new Date(year, month - 1, day);
  if (date.getMonth() !== month - 1 || date.getDate() !== day) return undefined;
  return new Date(year, month - 1, day + 1).getTime();
}

/** Splits a list of names and patterns at commas. */
function namesIn(text: string): string[] {
  return text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
}
