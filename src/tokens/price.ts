/** Price arithmetic. Prices are in US dollars per 1M tokens, results in US dollars. */
import type { Usage } from '../formats/conversation.ts';
import type { Prices } from '../service/modelPrices.ts';

const MILLION = 1_000_000;

/** @returns undefined if the catalog has no input price. */
export function inputCost(tokens: number, prices: Prices): number | undefined {
  return prices.inputPrice === undefined ? undefined : (tokens * prices.inputPrice) / MILLION;
}

/** @returns undefined if the catalog has no output price. */
export function outputCost(tokens: number, prices: Prices): number | undefined {
  return prices.outputPrice === undefined ? undefined : (tokens * prices.outputPrice) / MILLION;
}

/** Part of an input price where the catalog has none of its own: what the vendors document for most models. */
const USUAL_PARTS = { cachedInput: 0.1, cacheWrite: 1.25, longCacheWrite: 2 } as const;

export interface CachePrice {
  readonly kind: keyof typeof USUAL_PARTS;
  /** US dollars for a million tokens. */
  readonly price: number;
  /** True when the catalog has none, so that it was worked out from the input's. */
  readonly isAssumed: boolean;
}

/** What reading and writing a cache costs with a model, as bills have it; empty if the catalog has no input price. */
export function cachePrices(prices: Prices): readonly CachePrice[] {
  const { inputPrice, cachedInputPrice, cacheWritePrice, longCacheWritePrice } = prices;
  if (inputPrice === undefined) return [];
  const known = { cachedInput: cachedInputPrice, cacheWrite: cacheWritePrice, longCacheWrite: longCacheWritePrice };
  return (['cachedInput', 'cacheWrite', 'longCacheWrite'] as const).map((kind) => ({
    kind,
    price: known[kind] ?? part(inputPrice, kind),
    isAssumed: known[kind] === undefined,
  }));
}

export type CostKind =
  | 'input'
  | 'cachedInput'
  | 'cacheWrite'
  | 'longCacheWrite'
  | 'audioInput'
  | 'imageInput'
  | 'output'
  | 'audioOutput'
  | 'imageOutput'
  | 'webSearch';

/** One line of a bill: so much of a kind, at its price. */
export interface CostLine {
  readonly kind: CostKind;
  /** Tokens; of `webSearch` the searches. */
  readonly amount: number;
  /** US dollars for a million tokens, or for one search. */
  readonly price: number;
  /** True when the catalog has no price of this kind, so that it was worked out from another. */
  readonly isAssumed: boolean;
  /** US dollars. */
  readonly cost: number;
}

/**
 * What an exchange cost. What the catalog has no price for is billed by {@link USUAL_PARTS} of the input's. Reasoning is
 * part of the output.
 * @returns US dollars; undefined when a price is missing for tokens that were used.
 */
export function priceOf(usage: Usage, prices: Prices): number | undefined {
  return costLines(usage, prices)?.reduce((sum, { cost }) => sum + cost, 0);
}

/** The bill of {@link priceOf}, line by line; kinds that were not used are left out. */
export function costLines(usage: Usage, prices: Prices): readonly CostLine[] | undefined {
  const { inputPrice, outputPrice, webSearchPrice } = prices;
  if (inputPrice === undefined || (outputPrice === undefined && usage.outputTokens > 0)) return undefined;
  return [
    ...inputLines(usage, inputPrice, prices),
    ...outputLines(usage, outputPrice ?? 0, prices),
    ...(webSearchPrice === undefined
      ? []
      : lines(usage.webSearches, { kind: 'webSearch', price: webSearchPrice, unit: 1 })),
  ];
}

const CACHE_KINDS: ReadonlySet<CostKind> = new Set(['cachedInput', 'cacheWrite', 'longCacheWrite']);

/**
 * What a bill is less than without a cache: reads save, writes cost more.
 * @param inputPrice of tokens that no cache has.
 * @returns US dollars, below zero where more was written than it was worth; undefined where there was no cache.
 */
export function cacheSaving(bill: readonly CostLine[], inputPrice: number): number | undefined {
  const cached = bill.filter(({ kind }) => CACHE_KINDS.has(kind));
  if (cached.length === 0) return undefined;
  return cached.reduce((sum, { amount, cost }) => sum + (amount * inputPrice) / MILLION - cost, 0);
}

/**
 * What tokens cost more than if they had been read from the cache.
 * @returns US dollars; undefined if the catalog has no input price.
 */
export function missCost(missedTokens: number, usage: Usage, prices: Prices): number | undefined {
  const { inputPrice } = prices;
  if (inputPrice === undefined) return undefined;
  const bill = inputLines(usage, inputPrice, prices);
  const written = bill.filter(({ kind }) => kind === 'cacheWrite' || kind === 'longCacheWrite');
  const writtenTokens = sum(written.map(({ amount }) => amount));
  const paid = writtenTokens > 0 ? (sum(written.map(({ cost }) => cost)) / writtenTokens) * MILLION : inputPrice;
  const read = prices.cachedInputPrice ?? part(inputPrice, 'cachedInput');
  return (missedTokens * (paid - read)) / MILLION;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function inputLines(usage: Usage, price: number, prices: Prices): CostLine[] {
  let left = usage.inputTokens;
  const take = (tokens = 0) => {
    const taken = Math.min(tokens, left);
    left -= taken;
    return taken;
  };
  const cached = take(usage.cachedInputTokens);
  const written = take(usage.cacheWriteTokens);
  const long = Math.min(usage.longCacheWriteTokens ?? 0, written);
  const audio = take(usage.audioInputTokens);
  const image = take(usage.imageInputTokens);
  const { cachedInputPrice, cacheWritePrice, longCacheWritePrice, audioInputPrice, imageInputPrice } = prices;
  return [
    ...lines(left, { kind: 'input', price }),
    ...lines(cached, { kind: 'cachedInput', price: cachedInputPrice, assumed: part(price, 'cachedInput') }),
    ...lines(written - long, { kind: 'cacheWrite', price: cacheWritePrice, assumed: part(price, 'cacheWrite') }),
    ...lines(long, { kind: 'longCacheWrite', price: longCacheWritePrice, assumed: part(price, 'longCacheWrite') }),
    ...lines(audio, { kind: 'audioInput', price: audioInputPrice, assumed: price }),
    ...lines(image, { kind: 'imageInput', price: imageInputPrice ?? price }),
  ];
}

function outputLines(usage: Usage, price: number, { audioOutputPrice, imageOutputPrice }: Prices): CostLine[] {
  const audio = Math.min(usage.audioOutputTokens ?? 0, usage.outputTokens);
  const image = Math.min(usage.imageOutputTokens ?? 0, usage.outputTokens - audio);
  return [
    ...lines(usage.outputTokens - audio - image, { kind: 'output', price }),
    ...lines(audio, { kind: 'audioOutput', price: audioOutputPrice, assumed: price }),
    ...lines(image, { kind: 'imageOutput', price: imageOutputPrice ?? price }),
  ];
}

interface Rate {
  readonly kind: CostKind;
  readonly price: number | undefined;
  /** Where there is no price. */
  readonly assumed?: number;
  /** What the price is for; a million by default. */
  readonly unit?: number;
}

function lines(amount: number | undefined, { kind, price, assumed = 0, unit = MILLION }: Rate): CostLine[] {
  if (amount === undefined || amount === 0) return [];
  const rate = price ?? assumed;
  return [{ kind, amount, price: rate, isAssumed: price === undefined, cost: (amount * rate) / unit }];
}

/** Without what binary fractions add. */
function part(price: number, kind: keyof typeof USUAL_PARTS): number {
  return Number((price * USUAL_PARTS[kind]).toPrecision(12));
}
