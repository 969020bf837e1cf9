import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { defined } from '../../formats/json.ts';
import { BUDGET_PERIODS } from '../../rules/period.ts';
import { ALL_LIMIT_NAMES, type KeyLimits } from '../core/keyLimits.ts';
import type { Budget, KeyTerms } from './issuedKey.ts';

const MAX_NAME_LENGTH = 60;
const MAX_PATTERN_LENGTH = 200;
const MAX_PATTERNS = 100;

/** The requested name or terms of a local key are invalid. The message is shown to the user. */
export class LocalKeyError extends Error {
  override readonly name = 'LocalKeyError';
}

const positive = z.number().check(z.positive());

/** Amounts are counted in billionths of a dollar, which are exact up to nine million dollars. */
const MAX_DOLLARS = 1_000_000;

export const budgetSchema = z.object({
  amount: positive,
  unit: z.enum(['usd', 'tokens']),
  period: z.enum([...BUDGET_PERIODS]),
});

const limit = z.optional(z.int().check(z.nonnegative()));

export const limitsSchema = z.strictObject({
  parallel: limit,
  requestsPerMinute: limit,
  tokensPerMinute: limit,
  sessionDollars: z.optional(z.number().check(z.nonnegative())),
});

/**
 * @returns the name without leading and trailing white space.
 * @throws {LocalKeyError}
 */
export function checkedName(name: string, others: readonly string[]): string {
  const trimmed = name.trim();
  if (trimmed === '') throw new LocalKeyError(l10n.t('Give the key a name, such as the tool that will use it.'));
  if (trimmed.length > MAX_NAME_LENGTH)
    throw new LocalKeyError(l10n.t('A name can have at most {0} characters.', MAX_NAME_LENGTH));
  if (/\p{Cc}/u.test(trimmed)) throw new LocalKeyError(l10n.t('A name must be a single line.'));
  if (others.some((other) => other.toLowerCase() === trimmed.toLowerCase())) {
    throw new LocalKeyError(l10n.t('A key named "{0}" already exists.', trimmed));
  }
  return trimmed;
}

/**
 * @returns only the terms, without other members of the object.
 * @throws {LocalKeyError}
 */
export function checkedTerms(terms: KeyTerms, now: number): KeyTerms {
  const { budgets, limits, expiresAt, models, lowersLimits, measuresContext, secrets } = terms;
  if (budgets !== undefined) checkBudgets(budgets);
  if (expiresAt !== undefined && !(expiresAt > now))
    throw new LocalKeyError(l10n.t('The expiry date must be in the future.'));
  const patterns = models?.map((model) => model.trim());
  if (patterns !== undefined) checkPatterns(patterns);
  return {
    ...(budgets !== undefined && budgets.length > 0 && { budgets }),
    ...checkedLimits(limits),
    ...defined({ expiresAt, models: patterns, lowersLimits }),
    ...(measuresContext === false && { measuresContext }),
    ...(secrets !== undefined && { secrets }),
  };
}

/** A limit of 0 means no limit. */
function checkedLimits(limits: KeyLimits = {}): Pick<KeyTerms, 'limits'> {
  const { sessionDollars } = limits;
  if (sessionDollars !== undefined && !(sessionDollars >= 0 && Number.isFinite(sessionDollars))) {
    throw new LocalKeyError(l10n.t('A session cap must be an amount in dollars greater than 0.'));
  }
  if (!limitsSchema.safeParse(limits).success) {
    throw new LocalKeyError(l10n.t('A limit must be a whole number greater than 0.'));
  }
  const given = ALL_LIMIT_NAMES.flatMap((name) => (limits[name] ? [[name, limits[name]]] : []));
  return given.length === 0 ? {} : { limits: Object.fromEntries(given) };
}

function checkBudgets(budgets: readonly Budget[]): void {
  for (const budget of budgets) {
    if (!budgetSchema.safeParse(budget).success) {
      throw new LocalKeyError(
        l10n.t('A budget must be greater than 0, in dollars or tokens, and total, daily, or monthly.'),
      );
    }
    if (budget.unit === 'tokens' && !Number.isSafeInteger(budget.amount)) {
      throw new LocalKeyError(l10n.t('A budget in tokens must be a whole number.'));
    }
    if (budget.unit === 'usd' && budget.amount > MAX_DOLLARS) {
      throw new LocalKeyError(l10n.t('A budget must be at most $1,000,000.'));
    }
  }
  if (new Set(budgets.map(({ period }) => period)).size < budgets.length) {
    throw new LocalKeyError(l10n.t('A key can have at most one total, one daily, and one monthly budget.'));
  }
}

function checkPatterns(patterns: readonly string[]): void {
  if (patterns.length === 0)
    throw new LocalKeyError(l10n.t('Name at least one model, or omit the list to allow all models.'));
  if (patterns.length > MAX_PATTERNS)
    throw new LocalKeyError(l10n.t('A key can name at most {0} models.', MAX_PATTERNS));
  if (patterns.some((pattern) => pattern === '' || pattern.length > MAX_PATTERN_LENGTH)) {
    throw new LocalKeyError(
      l10n.t('A model must be a name such as "familya-opus-4.6" or a pattern such as "familya-*".'),
    );
  }
}
