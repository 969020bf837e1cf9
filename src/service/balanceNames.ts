/** The names that services use for the figures of a balance, in any spelling; see `Members`. */

/** Objects that may contain the figures. Outer objects are searched before inner ones, three levels deep. */
export const PLACES = [
  'data',
  'result',
  'response',
  'key',
  'account',
  'balance',
  'balances',
  'credits',
  'credit',
  'wallet',
];
export const PLACES_OF_PACKAGE = ['package', 'plan', 'subscription', 'quota'];

/** Names that can only mean the remaining balance. They take precedence over vaguer names at any level. */
export const REMAINING = [
  'remaining',
  'remaining_balance',
  'balance_remaining',
  'remaining_credit',
  'remaining_credits',
  'credit_remaining',
  'credits_remaining',
  'limit_remaining',
  'remaining_amount',
  'credits_left',
  'credit_left',
  'available',
  'available_balance',
  'available_credit',
  'available_credits',
  'total_available',
];
export const PERHAPS_REMAINING = [
  'balance',
  'current_balance',
  'total_balance',
  'credit',
  'credits',
  'credit_balance',
  'amount',
  'value',
];
export const GRANTED = [
  'granted',
  'total_granted',
  'total_credits',
  'total_credit',
  'credit_limit',
  'credits_total',
  'initial_balance',
  'total',
  'limit',
  'quota',
  'budget',
];
export const USED = [
  'used',
  'total_used',
  'used_credits',
  'credits_used',
  'used_amount',
  'usage',
  'total_usage',
  'spent',
  'total_spent',
  'consumed',
];

/** Suffixes that give the unit of a figure: `balance_usd`, `balance_cents`. Cents are hundredths of the currency. */
export const UNITS: readonly (readonly [ending: string, divisor: number, currency?: string])[] = [
  ['', 1],
  ['_usd', 1, 'USD'],
  ['_eur', 1, 'EUR'],
  ['_gbp', 1, 'GBP'],
  ['_usd_cents', 100, 'USD'],
  ['_cents_usd', 100, 'USD'],
  ['_cents', 100],
  ['_in_cents', 100],
];

export const CURRENCY_NAMES = ['currency', 'currency_code', 'balance_currency'];
/** Currencies that may be member names, as in `{"USD": 12.5}`. */
export const CURRENCIES: ReadonlySet<string> = new Set([
  'usd',
  'eur',
  'gbp',
  'cny',
  'jpy',
  'inr',
  'chf',
  'cad',
  'aud',
  'krw',
  'sgd',
  'brl',
]);
export const LISTS = ['balance_infos', 'balances', 'balance', 'credits', 'wallets', 'data'];

export const STATES = [
  'package_state',
  'package_status',
  'plan_state',
  'plan_status',
  'subscription_state',
  'subscription_status',
  'package.state',
  'package.status',
  'plan.state',
  'plan.status',
  'subscription.state',
  'subscription.status',
  'key_state',
  'key_status',
  'account_status',
  'state',
  'status',
];
/** Values that report success or failure in an envelope. */
export const ENVELOPE = /^(?:ok|okay|success|successful|succeeded|error|fail|failed|true|false|done|\d+)$/i;
export const ACTIVE = ['package.active', 'package.is_active', 'plan.active', 'active', 'is_active'];
export const PACKAGE_NAMES = [
  'package_name',
  'plan_name',
  'package.display_name',
  'package.name',
  'package.title',
  'plan.display_name',
  'plan.name',
  'subscription.name',
  'package',
  'plan',
  'tier',
];
export const EXPIRIES = [
  'expires_at',
  'expiry',
  'expires',
  'expiration',
  'expiry_date',
  'expiration_date',
  'expires_on',
  'valid_until',
].flatMap((name) => [name, `package.${name}`, `plan.${name}`, `package_${name}`, `subscription.${name}`]);
