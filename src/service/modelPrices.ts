/** Reads the prices of a catalog entry, whatever their names and units. */

import { isRecord } from '../formats/json.ts';
import { readAmount } from './amount.ts';
import { Members, readText } from './json.ts';

/** US dollars per 1M tokens. */
export interface Prices {
  readonly inputPrice?: number;
  readonly outputPrice?: number;
  /** Input read from the service's cache. */
  readonly cachedInputPrice?: number;
}

/**
 * The unit of a price is determined by the first of these that applies:
 * 1. its own name: `input_cost_per_token`, `input_price_per_million`, `output_per_1k`;
 * 2. a `unit` or `per` next to it: `{"unit": "per_1k_tokens", "input": 0.003}`;
 * 3. its size: below {@link SMALLEST_PER_MILLION} it is dollars per token, from there on dollars per million tokens.
 *    No model costs less than a tenth of a cent per million tokens, and none costs 1,000 dollars per million.
 */
const SMALLEST_PER_MILLION = 0.001;

/** The factor from the unit to a price per 1M tokens. */
const UNITS: readonly (readonly [pattern: RegExp, factor: number])[] = [
  [/per(?:1m|m|million|mtok|1000000)/, 1],
  [/per(?:1k|k|thousand|ktok|1000)/, 1000],
  [/pertoken/, 1_000_000],
];

/** Objects of an entry that contain prices with short names such as `input` or `prompt`. */
const PLACES = ['pricing', 'prices', 'price', 'cost', 'costs', 'rates', 'pricing.tokens', 'pricing.usd'];

const KINDS: Readonly<Record<keyof Prices, string>> = {
  inputPrice: 'input|prompt|in',
  outputPrice: 'output|completion|out',
  cachedInputPrice:
    '(?:input|prompt)?cache(?:d)?(?:read|hit)?(?:input|prompt)?|(?:input|prompt)cache(?:d|hit|read)|cached(?:input|prompt)(?:read)?',
};
const MONEY = '(?:price|pricing|cost|rate|usd)';
const PER = 'per[a-z0-9]+';

/** In an object of prices, the kind is sufficient. In the entry itself, a price word or a unit is required. */
const NESTED = patterns((kind) => `${MONEY}*(?:${kind})(?:tokens?)?${MONEY}*(?:${PER})?`);
const FLAT = patterns(
  (kind) => `${MONEY}+(?:${kind})(?:${PER})?|(?:${kind})(?:tokens?)?(?:${MONEY}+(?:${PER})?|${PER})`,
);

/** Prices in currencies other than US dollars are ignored. */
export function readPrices(entry: Members): Prices {
  const nested = PLACES.map((path) => entry.get(path)).filter(isRecord);
  const found = nested.map((record) => pricesIn(new Members(record), NESTED));
  return Object.assign({}, ...[...found, pricesIn(entry, FLAT)].toReversed());
}

type Patterns = readonly (readonly [kind: keyof Prices, pattern: RegExp])[];

function patterns(spelling: (kind: string) => string): Patterns {
  const kinds = Object.entries(KINDS) as [keyof Prices, string][];
  return kinds.map(([kind, names]) => [kind, new RegExp(`^(?:${spelling(names)})$`)]);
}

function pricesIn(record: Members, table: Patterns): Prices {
  const currency = record.first(['currency', 'currency_code'], readText)?.toUpperCase() ?? 'USD';
  if (currency !== 'USD') return {};
  const unit = record.first(['unit', 'per', 'unit_tokens', 'price_unit'], readUnit);
  const prices: { -readonly [K in keyof Prices]: Prices[K] } = {};
  for (const [name, value] of record.entries()) {
    const kind = table.find(([, pattern]) => pattern.test(name))?.[0];
    const price = kind === undefined || kind in prices ? undefined : perMillion(name, value, unit);
    if (kind !== undefined && price !== undefined) prices[kind] = price;
  }
  return prices;
}

function perMillion(name: string, value: unknown, unitBeside: number | undefined): number | undefined {
  const amount = readAmount(
    isRecord(value) ? new Members(value).first(['amount', 'price', 'value', 'usd'], (inner) => inner) : value,
  );
  if (amount === undefined || amount.value < 0 || (amount.currency ?? 'USD') !== 'USD') return undefined;
  const factor = factorIn(name) ?? unitBeside ?? (amount.value < SMALLEST_PER_MILLION ? 1_000_000 : 1);
  return rounded(amount.value * factor);
}

function readUnit(value: unknown): number | undefined {
  if (value === 1 || value === 1000 || value === 1_000_000) return 1_000_000 / value;
  const text = readText(value)
    ?.toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
  return text === undefined ? undefined : factorIn(text.includes('per') ? text : `per${text}`);
}

function factorIn(name: string): number | undefined {
  return UNITS.find(([pattern]) => pattern.test(name))?.[1];
}

/** Removes the error of binary fractions: 0.000003 times a million is 3, not 2.9999999999999996. */
function rounded(price: number): number {
  return Number(price.toPrecision(12));
}
