/** Asks for a local key's name and terms, one at a time. Each function returns `undefined` if the user canceled. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Budget, KeyTerms } from '../../gateway/keys/issuedKey.ts';
import { checkedName, checkedTerms, LocalKeyError } from '../../gateway/keys/keyTerms.ts';
import { budgetName, budgetText } from '../../pages/localKey/keyText.ts';
import { endOfDay, namesIn } from '../../pages/localKey/termText.ts';
import { BUDGET_PERIODS } from '../../rules/period.ts';
import { numberIn } from '../../rules/typedNumber.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export async function askName(title: string, others: readonly string[], value = ''): Promise<string | undefined> {
  return await vscode.window.showInputBox({
    title,
    value,
    prompt: l10n.t('Key name, such as the tool that will use it'),
    placeHolder: 'aider',
    ignoreFocusOut: true,
    validateInput: (name) => problemOf(() => checkedName(name, others)),
  });
}

interface TermChoice<Value> extends vscode.QuickPickItem {
  readonly value: Value;
}

async function choose<Value>(title: string, placeHolder: string, items: readonly TermChoice<Value>[]) {
  return (await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true }))?.value;
}

/** Asks for changed budgets of a key: the user sets, changes, or removes the budget of one period. */
export async function askBudgets(
  title: string,
  now: readonly Budget[],
): Promise<Pick<KeyTerms, 'budgets'> | undefined> {
  const items = BUDGET_PERIODS.map((value) => {
    const budget = now.find(({ period }) => period === value);
    const description = budget === undefined ? l10n.t('none') : budgetText(budget);
    return { label: sentence(budgetName(value)), description, value };
  });
  const period = await choose(title, l10n.t('Which budget do you want to change? All budgets apply.'), items);
  if (period === undefined) return undefined;
  const before = now.find((budget) => budget.period === period);
  const none = { label: before === undefined ? l10n.t('No budget') : l10n.t('Remove this budget') };
  const amount = await askAmount(title, budgetName(period), none, before);
  if (amount === undefined) return undefined;
  const others = now.filter((budget) => budget !== before);
  const budgets = amount === 'none' ? others : [...others, { ...amount, period }];
  return budgets.length === 0 ? {} : { budgets };
}

type BudgetAmount = Pick<Budget, 'amount' | 'unit'>;

async function askAmount(
  title: string,
  placeHolder: string,
  none: vscode.QuickPickItem,
  now?: Budget,
): Promise<BudgetAmount | 'none' | undefined> {
  const unit = await choose<Budget['unit'] | 'none'>(title, placeHolder, [
    { ...none, value: 'none' },
    { label: l10n.t('US dollars…'), description: l10n.t('at catalog prices'), value: 'usd' },
    { label: l10n.t('Tokens…'), description: l10n.t('input and output together'), value: 'tokens' },
  ]);
  if (unit === undefined || unit === 'none') return unit;
  const text = await vscode.window.showInputBox({
    title,
    prompt: unit === 'usd' ? l10n.t('US dollars') : l10n.t('Tokens, input and output together'),
    placeHolder: unit === 'usd' ? '5.00' : '200000',
    ignoreFocusOut: true,
    ...(now?.unit === unit && { value: String(now.amount) }),
    validateInput: (value) =>
      problemOf(() => checkedTerms({ budgets: [{ amount: numberIn(value), unit, period: 'total' }] }, 0)),
  });
  return text === undefined ? undefined : { amount: numberIn(text), unit };
}

/** Capitalizes the first letter in languages that have capital letters. */
function sentence(words: string): string {
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}

export async function askExpiry(title: string): Promise<Pick<KeyTerms, 'expiresAt'> | undefined> {
  const days = await choose(title, l10n.t('How long is the key valid?'), [
    { label: l10n.t('Until it is revoked'), value: 0 },
    { label: l10n.t('For one day'), value: 1 },
    { label: l10n.t('For one week'), value: 7 },
    { label: l10n.t('For 30 days'), value: 30 },
    { label: l10n.t('For 90 days'), value: 90 },
    { label: l10n.t('Until a date…'), value: -1 },
  ]);
  if (days === undefined) return undefined;
  if (days === 0) return {};
  if (days > 0) return { expiresAt: Date.now() + days * DAY_MS };
  const text = await vscode.window.showInputBox({
    title,
    prompt: l10n.t('Last day on which the key is valid'),
    placeHolder: '2027-01-31',
    ignoreFocusOut: true,
    validateInput: (value) => {
      const expiresAt = endOfDay(value);
      if (expiresAt === undefined) return l10n.t('Enter a date as year-month-day, such as 2027-01-31.');
      return problemOf(() => checkedTerms({ expiresAt }, Date.now()));
    },
  });
  const expiresAt = text === undefined ? undefined : endOfDay(text);
  return expiresAt === undefined ? undefined : { expiresAt };
}

/** @param known Names of models to choose from. */
export async function askModels(
  title: string,
  known: readonly string[],
  now: readonly string[] = [],
): Promise<Pick<KeyTerms, 'models'> | undefined> {
  const how = await choose<'all' | 'list' | 'patterns'>(title, l10n.t('Which models can the key use?'), [
    { label: l10n.t('All models'), value: 'all' },
    ...(known.length > 0 ? [{ label: l10n.t('Some models…'), value: 'list' } as const] : []),
    { label: l10n.t('Names or patterns…'), description: l10n.t('such as familya-*'), value: 'patterns' },
  ]);
  if (how === undefined || how === 'all') return how === undefined ? undefined : {};
  const models = how === 'list' ? await pickModels(title, known, now) : await typeModels(title, now);
  return models && { models };
}

async function pickModels(title: string, known: readonly string[], now: readonly string[]) {
  const items = known.map((label) => ({ label, picked: now.includes(label) }));
  const placeHolder = l10n.t('Models that the key can use');
  const options = { title, placeHolder, canPickMany: true, ignoreFocusOut: true } as const;
  const picked = await vscode.window.showQuickPick(items, options);
  return picked === undefined || picked.length === 0 ? undefined : picked.map(({ label }) => label);
}

async function typeModels(title: string, now: readonly string[]): Promise<string[] | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    value: now.join(', '),
    prompt: l10n.t('Names separated by commas; * matches any text'),
    placeHolder: 'familya-*, familyc-5.4',
    ignoreFocusOut: true,
    validateInput: (value) => problemOf(() => checkedTerms({ models: namesIn(value) }, 0)),
  });
  return text === undefined ? undefined : namesIn(text);
}

export function problemOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof LocalKeyError) return error.message;
    throw error;
  }
}
