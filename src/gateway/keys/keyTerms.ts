import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import type { Budget, KeyTerms } from './issuedKey.ts';

const MAX_NAME_LENGTH = 60;
const MAX_PATTERN_LENGTH = 200;
const MAX_PATTERNS = 100;

/** Why a local key cannot be as asked for, in words for the person who asked. */
export class LocalKeyError extends Error {
  override readonly name = 'LocalKeyError';
}

const positive = z.number().check(z.positive());

export const budgetSchema = z.object({
  amount: positive,
  unit: z.enum(['usd', 'tokens']),
  period: z.enum(['total', 'daily', 'monthly']),
});

/** @returns the name without space around it. @throws {LocalKeyError} */
export function checkedName(name: string, others: readonly string[]): string {
  const trimmed = name.trim();
  if (trimmed === '')
    throw new LocalKeyError(l10n.t('Give the key a name, such as that of the tool that will use it.'));
  if (trimmed.length > MAX_NAME_LENGTH)
    throw new LocalKeyError(l10n.t('A name has {0} characters at most.', MAX_NAME_LENGTH));
  if (/\p{Cc}/u.test(trimmed)) throw new LocalKeyError(l10n.t('A name is one line of text.'));
  if (others.some((other) => other.toLowerCase() === trimmed.toLowerCase())) {
    throw new LocalKeyError(l10n.t('There is a key with the name "{0}" already.', trimmed));
  }
  return trimmed;
}

/** @returns the terms alone, whatever else the object has. @throws {LocalKeyError} */
export function checkedTerms({ budgets, expiresAt, models }: KeyTerms, now: number): KeyTerms {
  if (budgets !== undefined) checkBudgets(budgets);
  if (expiresAt !== undefined && !(expiresAt > now))
    throw new LocalKeyError(l10n.t('The key would have expired already.'));
  const patterns = models?.map((model) => model.trim());
  if (patterns !== undefined) checkPatterns(patterns);
  return {
    ...(budgets !== undefined && budgets.length > 0 && { budgets }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(patterns !== undefined && { models: patterns }),
  };
}

function checkBudgets(budgets: readonly Budget[]): void {
  for (const budget of budgets) {
    if (!budgetSchema.safeParse(budget).success) {
      throw new LocalKeyError(
        l10n.t('A budget is more than 0, in dollars or tokens, in total or for each day or month.'),
      );
    }
    if (budget.unit === 'tokens' && !Number.isSafeInteger(budget.amount)) {
      throw new LocalKeyError(l10n.t('A budget in tokens is a whole number.'));
    }
  }
  if (new Set(budgets.map(({ period }) => period)).size < budgets.length) {
    throw new LocalKeyError(l10n.t('A key has one budget in total, one for each day and one for each month at most.'));
  }
}

function checkPatterns(patterns: readonly string[]): void {
  if (patterns.length === 0)
    throw new LocalKeyError(l10n.t('Name at least one model, or leave the list away for all.'));
  if (patterns.length > MAX_PATTERNS) throw new LocalKeyError(l10n.t('A key names {0} models at most.', MAX_PATTERNS));
  if (patterns.some((pattern) => pattern === '' || pattern.length > MAX_PATTERN_LENGTH)) {
    throw new LocalKeyError(l10n.t('A model is a name such as "familya-opus-4.6" or a pattern such as "familya-*".'));
  }
}
