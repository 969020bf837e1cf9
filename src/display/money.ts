/**
 * How money is shown. All amounts are US dollars. Three kinds differ: a charge (three significant figures), an estimate
 * (two, with its sign) and a balance (two decimals, rounded down).
 */
import * as l10n from '@vscode/l10n';
import { numberFormat } from './numberFormat.ts';
import { approximately } from './tokens.ts';

const grouped = numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
const whole = numberFormat({ maximumFractionDigits: 0 });
const sixDecimals = numberFormat({ minimumFractionDigits: 6, maximumFractionDigits: 6 });
const LEAST = 0.0001;
const BELOW_LEAST = `< $${LEAST}`;

/** What a request cost: `$0.0042`, `$0.0349`, `$0.187`, `$1.62`. A charge is never shown as zero: `< $0.0001`. */
export function formatMoney(usd: number): string {
  if (usd < 0) return `-${formatMoney(-usd)}`;
  if (usd === 0) return '$0.00';
  if (usd < LEAST) return BELOW_LEAST;
  if (usd < 0.00995) return `$${trimmed(usd.toFixed(4))}`;
  if (usd < 0.9995) return `$${usd < 0.01 ? '0.0100' : usd.toPrecision(3)}`;
  return `$${grouped(usd)}`;
}

/**
 * What a request is expected to cost, with its sign: `≈ $0.052`. Two significant figures, four decimals at most; from
 * $1 it keeps the two decimals of money (`≈ $1.20`), from $10 it is in whole dollars.
 */
export function formatEstimate(usd: number): string {
  return usd > 0 && usd < LEAST ? BELOW_LEAST : approximately(formatRoughly(usd));
}

/** The same without the sign, for a second amount after one with the sign: `≈ $0.036, was $0.052`. */
export function formatRoughly(usd: number): string {
  if (usd === 0) return '$0.00';
  if (usd < LEAST) return BELOW_LEAST;
  const rounded = Number(usd.toPrecision(2));
  if (rounded < 0.001) return `$${rounded.toFixed(4)}`;
  if (rounded < 1) return `$${rounded.toFixed(1 - Math.floor(Math.log10(rounded) + 1e-9))}`;
  return rounded < 10 ? `$${rounded.toFixed(2)}` : `$${whole(rounded)}`;
}

/** An estimate in the status bar: three decimals and no sign, since the tokens before it carry one. */
export function formatStatusBarEstimate(usd: number): string {
  if (usd === 0) return '$0.00';
  if (usd < 0.001) return '< $0.001';
  return usd < 0.9995 ? `$${usd.toFixed(3)}` : `$${grouped(usd)}`;
}

/**
 * What is left: `$12.39`. Rounded down, so that it never shows more than there is. Under one cent it has up to four
 * decimals, since `$0.00` says that nothing is left.
 */
export function formatBalance(usd: number): string {
  if (usd < 0) return `-$${grouped(Math.ceil(steps(-usd, 100)) / 100)}`;
  if (usd === 0) return '$0.00';
  if (usd >= 0.01) return `$${grouped(Math.floor(steps(usd, 100)) / 100)}`;
  const tenThousandths = Math.floor(steps(usd, 10_000));
  return tenThousandths === 0 ? BELOW_LEAST : `$${trimmed((tenThousandths / 10_000).toFixed(4))}`;
}

/** Binary fractions are slightly off (1.15 * 100 is 114.99…), which rounding down would turn into a whole step. */
function steps(usd: number, each: number): number {
  return Number((usd * each).toFixed(6));
}

/**
 * What is left of a balance after a charge; never less than nothing. A charge that is shown as less than can be shown
 * leaves the balance as it stands, as rounding down would turn it into a whole cent.
 */
export function balanceAfter(balance: number, charge: number): number {
  return Math.max(0, charge < LEAST ? balance : balance - charge);
}

/**
 * A sum of charges over a day or a period: as exact as a charge, so that it never looks smaller than one of its parts,
 * but without zeros at its end beyond the two decimals of money: `$0.90`, `$0.146`, `$6.91`.
 */
export function formatSum(usd: number): string {
  return formatMoney(usd).replace(/(\.\d\d\d*?)0+$/, '$1');
}

/** One amount of a sum that shows its parts: six decimals, `$0.001070`. Takes whole millionths of a dollar. */
export function formatMillionths(millionths: number): string {
  return `$${sixDecimals(millionths / 1e6)}`;
}

/**
 * The amounts in whole millionths of a dollar, rounded so that they add up to their sum rounded in the same way; each is
 * off by less than one millionth. None may be negative.
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

/** The price of a million tokens: `$3.00`, `$0.075`. */
export function formatPrice(usd: number): string {
  const fine = usd.toFixed(4);
  return usd < 1 && !fine.endsWith('00') ? `$${trimmed(fine)}` : `$${grouped(usd)}`;
}

function trimmed(digits: string): string {
  return digits.replace(/0+$/, '');
}

/** In words for a screen reader: `5 cents`, `12 dollars 39 cents`, `under 1 cent`. */
export function spokenMoney(usd: number): string {
  if (usd > 0 && usd < 0.005) return l10n.t('under 1 cent');
  const cents = Math.round(usd * 100);
  const dollars = Math.floor(cents / 100);
  const rest = cents % 100;
  if (dollars === 0) return spokenCents(rest);
  return rest === 0 ? spokenDollars(dollars) : `${spokenDollars(dollars)} ${spokenCents(rest)}`;
}

/** What is left, rounded down as {@link formatBalance} does. */
export function spokenBalance(usd: number): string {
  return usd > 0 && usd < 0.01 ? l10n.t('under 1 cent') : spokenMoney(Math.floor(steps(usd, 100)) / 100);
}

function spokenDollars(count: number): string {
  return count === 1 ? l10n.t('1 dollar') : l10n.t('{0} dollars', whole(count));
}

function spokenCents(count: number): string {
  return count === 1 ? l10n.t('1 cent') : l10n.t('{0} cents', count);
}

/** An amount of the sandbox: `sample $0.0058`, `≈ sample $0.0058`. Only the first amount of a text gets the word. */
export function asSample(text: string): string {
  const at = text.search(/(?:< )?-?\$/);
  return at === -1 ? text : text.slice(0, at) + l10n.t('sample {0}', text.slice(at));
}
