/**
 * Formats amounts of money, all in US dollars. There are three kinds: charges (three significant figures, or four
 * decimals below a cent), estimates (two, with the sign ≈), and balances (two decimals, rounded down).
 */
import * as l10n from '@vscode/l10n';
import { numberFormat } from './numberFormat.ts';
import { approximately } from './tokens.ts';

const grouped = numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
const whole = numberFormat({ maximumFractionDigits: 0 });
const sixDecimals = numberFormat({ minimumFractionDigits: 6, maximumFractionDigits: 6 });
const MIN_EXACT = 0.0001;
const BELOW_MIN_EXACT = `< $${MIN_EXACT}`;

/**
 * Formats the cost of a request: `$0.0042`, `$0.0349`, `$0.187`, `$1.62`. A charge is never shown as zero: `< $0.0001`.
 */
export function formatMoney(usd: number): string {
  if (usd < 0) return `-${formatMoney(-usd)}`;
  if (usd === 0) return '$0.00';
  if (usd < MIN_EXACT) return BELOW_MIN_EXACT;
  if (usd < 0.01) return `$${usd.toFixed(4)}`;
  if (usd < 0.9995) return `$${usd.toPrecision(3)}`;
  return `$${grouped(usd)}`;
}

/**
 * Adds to a sum how much of it no upstream has reported: `$3.10, of which up to $0.42 unconfirmed`.
 * @param unconfirmed US dollars. Undefined or 0 adds nothing.
 */
export function withUnconfirmed(sum: string, unconfirmed = 0): string {
  return unconfirmed > 0 ? l10n.t('{0}, of which up to {1} unconfirmed', sum, formatMoney(unconfirmed)) : sum;
}

/**
 * Formats the estimated cost of a request, with the sign: `≈ $0.052`. Two significant figures and at most four
 * decimals; two decimals from $1 (`≈ $1.20`), whole dollars from $10.
 */
export function formatEstimate(usd: number): string {
  return usd > 0 && usd < MIN_EXACT ? BELOW_MIN_EXACT : approximately(formatRoughly(usd));
}

/**
 * Like {@link formatEstimate} without the sign, for a second amount after one with the sign: `≈ $0.036, was $0.052`.
 */
export function formatRoughly(usd: number): string {
  if (usd === 0) return '$0.00';
  if (usd < MIN_EXACT) return BELOW_MIN_EXACT;
  const rounded = Number(usd.toPrecision(2));
  if (rounded < 0.001) return `$${rounded.toFixed(4)}`;
  if (rounded < 1) return `$${rounded.toFixed(1 - Math.floor(Math.log10(rounded) + 1e-9))}`;
  return rounded < 10 ? `$${rounded.toFixed(2)}` : `$${whole(rounded)}`;
}

/** Formats an estimate for the status bar: three decimals and no sign, because the tokens before it carry one. */
export function formatStatusBarEstimate(usd: number): string {
  if (usd === 0) return '$0.00';
  if (usd < 0.001) return '< $0.001';
  return usd < 0.9995 ? `$${usd.toFixed(3)}` : `$${grouped(usd)}`;
}

/**
 * Formats a balance: `$12.39`. Rounds down, so that it never shows more than is left. Below one cent it has up to four
 * decimals, because `$0.00` would mean that nothing is left.
 */
export function formatBalance(usd: number): string {
  if (usd < 0) return `-$${grouped(Math.ceil(steps(-usd, 100)) / 100)}`;
  if (usd === 0) return '$0.00';
  if (usd >= 0.01) return `$${grouped(Math.floor(steps(usd, 100)) / 100)}`;
  const tenThousandths = Math.floor(steps(usd, 10_000));
  return tenThousandths === 0 ? BELOW_MIN_EXACT : `$${trimmed((tenThousandths / 10_000).toFixed(4))}`;
}

/** Removes the error of binary fractions (1.15 * 100 is 114.99…), which rounding down would turn into a whole step. */
function steps(usd: number, each: number): number {
  return Number((usd * each).toFixed(6));
}

/**
 * Returns the balance after a charge, at least zero. A charge below the smallest amount shown does not change the
 * balance, because rounding down would turn it into a whole cent.
 */
export function balanceAfter(balance: number, charge: number): number {
  return Math.max(0, charge < MIN_EXACT ? balance : balance - charge);
}

/**
 * Formats the sum of the charges of a period. It is as precise as a charge, so that it never looks smaller than one of
 * its parts, but has no trailing zeros after the second decimal: `$0.90`, `$0.146`, `$6.91`.
 */
export function formatSum(usd: number): string {
  return formatMoney(usd).replace(/(\.\d\d\d*?)0+$/, '$1');
}

/** Formats one line of an itemized sum with six decimals: `$0.001070`. Takes whole millionths of a dollar. */
export function formatMillionths(millionths: number): string {
  const amount = `$${sixDecimals(Math.abs(millionths) / 1e6)}`;
  return millionths < 0 ? `-${amount}` : amount;
}

/**
 * Converts amounts to whole millionths of a dollar, rounded so that they add up to their rounded sum. Each is off by
 * less than one millionth.
 */
export function inMillionths(amounts: readonly number[]): readonly number[] {
  const exact = amounts.map((usd) => steps(usd, 1e6));
  const parts = exact.map(Math.floor);
  const sum = Math.round(Number(exact.reduce((total, each) => total + each, 0).toFixed(6)));
  const missing = sum - parts.reduce((total, each) => total + each, 0);
  const rest = (place: number) => (exact[place] ?? 0) - (parts[place] ?? 0);
  const places = [...parts.keys()].sort((a, b) => rest(b) - rest(a));
  for (const place of places.slice(0, missing)) parts[place] = (parts[place] ?? 0) + 1;
  return parts;
}

/** Formats a price per 1M tokens: `$3.00`, `$0.075`. */
export function formatPrice(usd: number): string {
  const fine = usd.toFixed(4);
  return usd < 1 && !fine.endsWith('00') ? `$${trimmed(fine)}` : `$${grouped(usd)}`;
}

function trimmed(digits: string): string {
  return digits.replace(/0+$/, '');
}

/** Formats an amount for a screen reader: `5 cents`, `12 dollars 39 cents`, `under 1 cent`. */
export function spokenMoney(usd: number): string {
  if (usd > 0 && usd < 0.005) return l10n.t('under 1 cent');
  const cents = Math.round(usd * 100);
  const dollars = Math.floor(cents / 100);
  const rest = cents % 100;
  if (dollars === 0) return spokenCents(rest);
  return rest === 0 ? spokenDollars(dollars) : `${spokenDollars(dollars)} ${spokenCents(rest)}`;
}

/** Formats a balance for a screen reader, rounded down like {@link formatBalance}. */
export function spokenBalance(usd: number): string {
  return usd > 0 && usd < 0.01 ? l10n.t('under 1 cent') : spokenMoney(Math.floor(steps(usd, 100)) / 100);
}

function spokenDollars(count: number): string {
  return count === 1 ? l10n.t('1 dollar') : l10n.t('{0} dollars', whole(count));
}

function spokenCents(count: number): string {
  return count === 1 ? l10n.t('1 cent') : l10n.t('{0} cents', count);
}

/** Marks an amount of the sandbox: `sample $0.0058`, `≈ sample $0.0058`. Only the first amount of a text is marked. */
export function asSample(text: string): string {
  const at = text.search(/(?:< )?-?\$/);
  return at === -1 ? text : text.slice(0, at) + l10n.t('sample {0}', text.slice(at));
}
