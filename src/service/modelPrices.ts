/** Reads the prices of a catalog entry, whichever names and units it uses. */

import { isRecord, type JsonRecord } from '../formats/json.ts';
import { readAmount } from './amount.ts';
import { Members, readText } from './members.ts';

/** In US dollars per 1M tokens. */
export interface FlatPrices {
  readonly inputPrice?: number;
  readonly outputPrice?: number;
  /** Input read from the service's cache. */
  readonly cachedInputPrice?: number;
  /** Input written to the cache, for a few minutes and for an hour or longer. */
  readonly cacheWritePrice?: number;
  readonly longCacheWritePrice?: number;
  readonly audioInputPrice?: number;
  readonly audioOutputPrice?: number;
  readonly imageInputPrice?: number;
  readonly imageOutputPrice?: number;
  /** Reasoning, if its price is not that of other output. */
  readonly reasoningPrice?: number;
  /** US dollars per web search by a tool of the service. */
  readonly webSearchPrice?: number;
  /** US dollars per request, in addition to its tokens. */
  readonly requestPrice?: number;
}

/** Prices of a whole request whose input is longer than a number of tokens. */
export interface LongPromptPrices extends FlatPrices {
  readonly above: number;
}

export interface Prices extends FlatPrices {
  /** The shortest prompts come first. */
  readonly longPrompts?: readonly LongPromptPrices[];
}

const PRICE_NAMES = [
  'inputPrice',
  'outputPrice',
  'cachedInputPrice',
  'cacheWritePrice',
  'longCacheWritePrice',
  'audioInputPrice',
  'audioOutputPrice',
  'imageInputPrice',
  'imageOutputPrice',
  'reasoningPrice',
  'webSearchPrice',
  'requestPrice',
] as const satisfies readonly (keyof FlatPrices)[];

/** Returns only the prices of an object that has other members. */
export function pricesOf(priced: Prices): Prices {
  const { longPrompts } = priced;
  const known = PRICE_NAMES.filter((name) => priced[name] !== undefined).map((name) => [name, priced[name]]);
  return { ...Object.fromEntries(known), ...(longPrompts !== undefined && { longPrompts }) };
}

/**
 * The unit of a price is determined by the first of these that applies:
 * 1. its own name: `input_cost_per_token`, `input_price_per_million`, `output_per_1k`;
 * 2. a `unit` or `per` next to it: `{"unit": "per_1k_tokens", "input": 0.003}`;
 * 3. its size: below {@link MIN_PER_MILLION} it is dollars per token, from there on dollars per million tokens.
 *    No model costs less than a tenth of a cent per million tokens, and none costs 1,000 dollars per million.
 */
const MIN_PER_MILLION = 0.001;

/** Factors that convert a price in the unit to a price per 1M tokens. */
const UNITS: readonly (readonly [pattern: RegExp, factor: number])[] = [
  [/per(?:1m|m|million|mtok|1000000)/, 1],
  [/per(?:1k|k|thousand|ktok|1000)/, 1000],
  [/pertoken/, 1_000_000],
];

/** Objects of an entry that contain prices with short names such as `input` or `prompt`. */
const PLACES = ['pricing', 'prices', 'price', 'cost', 'costs', 'rates', 'pricing.tokens', 'pricing.usd'];

const KINDS: Readonly<Record<keyof FlatPrices, string>> = {
  inputPrice: 'input|prompt|in',
  outputPrice: 'output|completion|out',
  cachedInputPrice:
    '(?:input|prompt)?cache(?:d)?(?:read|hit)?(?:input|prompt)?|(?:input|prompt)cache(?:d|hit|read)|cached(?:input|prompt)(?:read)?',
  cacheWritePrice: '(?:input|prompt)?cache(?:write|creation)(?:input|prompt)?(?:5m|5min)?|caching',
  longCacheWritePrice: '(?:input|prompt)?cache(?:write|creation)(?:input|prompt)?(?:1h|1hr|1hour)',
  audioInputPrice: 'audio(?:input|prompt)?|(?:input|prompt)audio',
  audioOutputPrice: 'audio(?:output|completion)|(?:output|completion)audio',
  imageInputPrice: 'image(?:input|prompt|(?=token))|(?:input|prompt)image',
  imageOutputPrice: 'image(?:output|completion)|(?:output|completion)image',
  reasoningPrice: '(?:internal|output)?(?:reasoning|thinking)(?:output|completion)?',
  webSearchPrice: 'websearch(?:request)?',
  requestPrice: '(?:per)?request',
};
/** Prices under special terms: batches, service tiers. */
const SPECIAL_TERMS = /above\d|batch|priority|flex/;
/** The end of a price's name, or the name of an object of prices, for prompts above a number of tokens. */
const LONG_PROMPT = /(?:context)?(?:above|over)(\d+)(k?)(?:tokens?)?$/;
/** The end of the name of a list of prices, each for prompts of at least `min` tokens. */
const TIERS = /tiers$/;
/** Prices that are not per token: US dollars for each. */
const FEES: ReadonlySet<keyof FlatPrices> = new Set(['webSearchPrice', 'requestPrice']);
/** A fee of this size or above is per thousand, in US dollars. */
const DEAREST_FEE = 1;
/** Catalogs list these as 0 if there is no such price of its own. */
const NONE_IF_ZERO: ReadonlySet<keyof FlatPrices> = new Set(['reasoningPrice', 'requestPrice']);
const MONEY = '(?:price|pricing|cost|rate|usd)';
/** The end of a name with a unit. A price per image, character, or second of the input is not its price per token. */
const PER = 'per(?!request|image|video|audio|character|second|minute|pixel|page|query)[a-z0-9]+';
const ANY_UNIT = 'per[a-z0-9]+';
const NO_UNIT = '(?!)';

/** In an object of prices, the kind of token is sufficient. In the entry itself, a price word or a unit is required. */
const NESTED = patterns((kind, per) => `${MONEY}*(?:${kind})(?:tokens?)?${MONEY}*(?:${per})?`);
const FLAT = patterns(
  (kind, per) => `${MONEY}+(?:${kind})(?:${per})?|(?:${kind})(?:tokens?)?(?:${MONEY}+(?:${per})?|${per})`,
);

/** Reads the prices. Prices in currencies other than US dollars are ignored. */
export function readPrices(entry: Members): Prices {
  const nested = PLACES.map((path) => entry.get(path)).filter(isRecord);
  const found = nested.map((record) => pricesIn(new Members(record), NESTED));
  return Object.assign({}, ...[...found, pricesIn(entry, FLAT)].toReversed());
}

type Patterns = readonly (readonly [kind: keyof FlatPrices, pattern: RegExp])[];

function patterns(spelling: (kind: string, per: string) => string): Patterns {
  const kinds = Object.entries(KINDS) as [keyof FlatPrices, string][];
  return kinds.map(([kind, names]) => [kind, new RegExp(`^(?:${spelling(names, unitOf(kind))})$`)]);
}

/** `request_per_minute` is a limit. */
function unitOf(kind: keyof FlatPrices): string {
  if (kind === 'requestPrice') return NO_UNIT;
  return FEES.has(kind) ? ANY_UNIT : PER;
}

type FoundPrices = { -readonly [K in keyof FlatPrices]: FlatPrices[K] };

function pricesIn(record: Members, table: Patterns): Prices {
  const currency = record.first(['currency', 'currency_code'], readText)?.toUpperCase() ?? 'USD';
  if (currency !== 'USD') return {};
  const unit = record.first(['unit', 'per', 'unit_tokens', 'price_unit'], readUnit);
  /** By the number of input tokens that a request must exceed. */
  const found = new Map<number, FoundPrices>();
  for (const { above, name, value } of pricesNamed(record)) {
    const prices = found.get(above) ?? {};
    const kind = SPECIAL_TERMS.test(name) ? undefined : table.find(([, pattern]) => pattern.test(name))?.[0];
    const price = kind === undefined || kind in prices ? undefined : priceIn(kind, name, value, unit);
    if (kind !== undefined && price !== undefined && !(price === 0 && NONE_IF_ZERO.has(kind)))
      found.set(above, { ...prices, [kind]: price });
  }
  const ordered = [...found].map(([above, prices]) => ({ ...prices, above })).toSorted((a, b) => a.above - b.above);
  const longPrompts = ordered.filter(({ above }) => above > 0);
  return { ...found.get(0), ...(longPrompts.length > 0 && { longPrompts }) };
}

interface NamedPrice {
  /** Above how many input tokens it applies. 0 is the usual price. */
  readonly above: number;
  readonly name: string;
  readonly value: unknown;
}

function pricesNamed(record: Members): readonly NamedPrice[] {
  return [...record.entries()].flatMap(([written, value]): readonly NamedPrice[] => {
    const [end = '', digits = '', thousands] = LONG_PROMPT.exec(written) ?? [];
    const above = Number(digits) * (thousands === 'k' ? 1000 : 1);
    const name = usualName(written.slice(0, written.length - end.length));
    if (above > 0 && isRecord(value)) return pricesNamed(new Members(value)).map((price) => ({ ...price, above }));
    if (name === 'tiers' && Array.isArray(value)) return value.filter(isRecord).flatMap(pricesOfTier);
    if (TIERS.test(name) && Array.isArray(value)) return tiersOf(name.replace(TIERS, ''), value.filter(isRecord));
    return [{ above, name, value }];
  });
}

/** A list of tiers of whole prices, each with the length of the prompt above which they apply. */
function pricesOfTier({ tier, ...prices }: JsonRecord): readonly NamedPrice[] {
  const { type = 'context', size } = isRecord(tier) ? tier : {};
  if (type !== 'context' || typeof size !== 'number' || size <= 0) return [];
  return pricesNamed(new Members(prices)).map((price) => ({ ...price, above: size }));
}

function tiersOf(name: string, tiers: readonly JsonRecord[]): readonly NamedPrice[] {
  return tiers.flatMap(({ min, cost: value }) =>
    typeof min === 'number' && min > 1 ? [{ above: min - 1, name, value }] : [],
  );
}

/** Normalizes names: some services write the kind of token after the unit, or append how long a cache keeps it. */
function usualName(name: string): string {
  return name
    .replace(/^(input|output)(cost|price)per(audio|image|reasoning)(tokens?)$/, '$1$3$2per$4')
    .replace(/^(.*cache.*?)tokens?(cost|price)above1hr?$/, '$11h$2');
}

function priceIn(kind: keyof FlatPrices, name: string, value: unknown, unit: number | undefined): number | undefined {
  if (!FEES.has(kind)) return perMillion(name, value, unit);
  const fee = readAmount(value);
  if (fee === undefined || fee.value < 0 || (fee.currency ?? 'USD') !== 'USD') return undefined;
  return fee.value < DEAREST_FEE ? fee.value : fee.value / 1000;
}

function perMillion(name: string, value: unknown, unitBeside: number | undefined): number | undefined {
  const amount = readAmount(
    isRecord(value) ? new Members(value).first(['amount', 'price', 'value', 'usd'], (inner) => inner) : value,
  );
  if (amount === undefined || amount.value < 0 || (amount.currency ?? 'USD') !== 'USD') return undefined;
  const factor = factorIn(name) ?? unitBeside ?? (amount.value < MIN_PER_MILLION ? 1_000_000 : 1);
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
