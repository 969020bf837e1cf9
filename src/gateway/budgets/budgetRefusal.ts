import { formatBalance } from '../../display/money.ts';
import { formatTokensExact } from '../../display/tokens.ts';
import { toDollars } from '../../ledger/cost.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Budget } from '../keys/issuedKey.ts';

const WORD: Readonly<Record<Budget['period'], string>> = {
  total: 'budget',
  daily: 'daily budget',
  monthly: 'monthly budget',
};

/** Amounts are in the unit of the budget: billionths of a US dollar, or tokens. */
export interface Shortage {
  readonly left: number;
  readonly needed: number;
  readonly reserved: number;
  /** When the budget resets, in milliseconds since the epoch. Undefined for a total budget. */
  readonly renewsAt: number | undefined;
  /** How this kind of request can use less, if fewer output tokens alone are not enough. */
  readonly advice?: string | undefined;
}

export interface BudgetHolder {
  readonly kind: 'key' | 'team';
  readonly name: string;
}

const HOLDER: Readonly<Record<BudgetHolder['kind'], string>> = { key: 'local key', team: 'team' };

export function budgetExceeded({ kind, name }: BudgetHolder, budget: Budget, shortage: Shortage): Refusal {
  const show = budget.unit === 'usd' ? showCost : showTokens;
  const { left, needed, reserved, renewsAt, advice = 'request fewer output tokens' } = shortage;
  const whole = budget.unit === 'usd' ? formatBalance(budget.amount) : showTokens(budget.amount);
  const sentences = [
    `The ${HOLDER[kind]} "${name}" has ${show(left)} left of its ${WORD[budget.period]} of ${whole}.`,
    reserved > 0 ? `Requests in progress may use ${show(reserved)} of it.` : '',
    left > 0 ? `This request may use up to ${showNeed(budget, needed)}: ${advice}.` : '',
    renewsAt === undefined ? 'Its owner can raise the budget.' : `It resets at ${new Date(renewsAt).toISOString()}.`,
  ];
  return { error: { kind: 'credit', status: 402, message: sentences.filter((sentence) => sentence !== '').join(' ') } };
}

/** The refusal of a model without a price, which no budget in dollars can cover. */
export function priceUnknown({ kind, name }: BudgetHolder, model: string): Refusal {
  const message =
    `The price of the model "${model}" is not known, so the budget in dollars of the ${HOLDER[kind]} "${name}" cannot cover it. ` +
    'Use a model with a price, or a key with a budget in tokens.';
  return { error: { kind: 'credit', status: 402, message } };
}

function showCost(billionths: number): string {
  return formatBalance(Math.max(0, toDollars(billionths)));
}

function showNeed({ unit }: Budget, needed: number): string {
  return unit === 'usd' ? formatBalance(roundedUp(toDollars(needed))) : showTokens(needed);
}

/** What is left is rounded down, so a need that exceeds it by little must not look the same. */
function roundedUp(usd: number): number {
  const steps = usd >= 0.01 ? 100 : 10_000;
  // `toFixed` removes the error of binary fractions.
  return Math.ceil(Number((usd * steps).toFixed(6))) / steps;
}

function showTokens(tokens: number): string {
  return `${formatTokensExact(Math.max(0, tokens))} tokens`;
}

/** The refusal of a model that no upstream lists, so that it has no price either. */
export function modelUnlisted(model: string): Refusal {
  const message = `The model "${model}" does not exist: no upstream lists it. If an upstream has it all the same, its operator can set its price.`;
  return { error: { kind: 'notFound', status: 404, code: 'model_not_found', param: 'model', message } };
}
