/** Reads numbers and amounts of money as services write them. */
import { withDecimalPoint } from '../rules/typedNumber.ts';

export interface Amount {
  readonly value: number;
  /** A currency code of three letters, such as `USD`, if the text contains one. */
  readonly currency?: string;
}

/** Larger numbers mean "unlimited" or are mistakes. */
const MAX_AMOUNT = 1e12;

/** Longer texts are not amounts. */
const MAX_LENGTH = 64;

const CURRENCY_OF_SIGN: Readonly<Record<string, string>> = { $: 'USD', US$: 'USD', '€': 'EUR', '£': 'GBP', '₹': 'INR' };

const MONEY =
  /^(-?)\s*([A-Za-z]{3}|US\$|[$€£₹])?\s*(-?)\s*(\d[\d.,_' ]*(?:e[+-]?\d+)?|\.\d+)\s*([A-Za-z]{3}|[$€£₹])?$/i;

/**
 * Reads a number, or a text such as `12.50`, `$12.50`, `12.50 USD`, `1,234.50`, `-3`. Booleans and infinities are not
 * accepted.
 */
export function readAmount(value: unknown): Amount | undefined {
  if (typeof value === 'number') return within({ value });
  const match = typeof value === 'string' && value.length <= MAX_LENGTH ? MONEY.exec(value.trim()) : null;
  if (match === null) return undefined;
  const [, sign, before, innerSign, digits = '', after] = match;
  const size = Number(withDecimalPoint(digits));
  const unit = (before ?? after)?.toUpperCase();
  const currency = unit === undefined ? undefined : (CURRENCY_OF_SIGN[unit] ?? unit);
  const signed = sign === '-' || innerSign === '-' ? -size : size;
  return within({ value: signed, ...(currency !== undefined && { currency }) });
}

/** Reads a number, or a numeric text without a currency. */
export function readNumber(value: unknown): number | undefined {
  const amount = readAmount(value);
  return amount?.currency === undefined ? amount?.value : undefined;
}

function within(amount: Amount): Amount | undefined {
  return Number.isFinite(amount.value) && Math.abs(amount.value) <= MAX_AMOUNT ? amount : undefined;
}
