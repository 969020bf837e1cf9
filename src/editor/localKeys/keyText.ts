/** Local keys in words: what they may do, and what they have spent. */
import { formatBalance, formatSum } from '../../display/money.ts';
import { formatTokensExact } from '../../display/tokens.ts';
import type { Budget, KeyDetails } from '../../gateway/keys/issuedKey.ts';
import type { KeySpend } from '../../gateway/keys/keySpend.ts';

const PERIOD: Readonly<Record<Budget['period'], string>> = { total: 'in total', daily: 'a day', monthly: 'a month' };
const SO_FAR: Readonly<Record<Budget['period'], string>> = { total: '', daily: ' today', monthly: ' this month' };

/** `$5.00 a month`, `200,000 tokens in total`. */
export function budgetText({ amount, unit, period }: Budget): string {
  return `${unit === 'usd' ? formatBalance(amount) : `${formatTokensExact(amount)} tokens`} ${PERIOD[period]}`;
}

/** `$1.20 of $5.00 spent this month`, `$1.20 spent`; `undefined` when it is not known. */
export function spendText({ budget }: KeyDetails, spend: KeySpend | undefined): string | undefined {
  if (spend === undefined) return undefined;
  if (budget === undefined) return `${formatSum(spend.cost)} spent`;
  const { amount, unit, period } = budget;
  const [spent, whole] =
    unit === 'usd'
      ? [formatSum(spend.cost), formatBalance(amount)]
      : [formatTokensExact(spend.tokens), `${formatTokensExact(amount)} tokens`];
  return `${spent} of ${whole} spent${SO_FAR[period]}`;
}

/** `expires on 31/01/2027`, in the form of the machine. */
export function expiryText({ expiresAt }: KeyDetails, now: number): string | undefined {
  if (expiresAt === undefined) return undefined;
  const when = new Date(expiresAt).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return expiresAt <= now ? `expired on ${when}` : `expires on ${when}`;
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
