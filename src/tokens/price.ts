/** Price arithmetic. Prices are in US dollars per 1M tokens, results in US dollars. */

import { defined } from '../formats/json.ts';
import type { Usage } from '../formats/usage.ts';
import type { FlatPrices, LongPromptPrices, Prices } from '../service/modelPrices.ts';

const MILLION = 1_000_000;

/**
 * Returns the prices of a request with this many input tokens. Prices of the cache that the catalog does not list for
 * long prompts are derived from their input price, as usual.
 */
export function pricesFor(inputTokens: number, prices: Prices): FlatPrices {
  // Most models have no others.
  if (prices.longPrompts === undefined) return prices;
  const { longPrompts, ...usual } = prices;
  const long = longPrompts.findLast(({ above }) => inputTokens > above);
  return long === undefined ? usual : longPrices(usual, long);
}

/** Returns all price lists that may apply to a request of at most this many input tokens. */
export function pricesUpTo(inputTokens: number, { longPrompts = [], ...usual }: Prices): readonly FlatPrices[] {
  return [usual, ...longPrompts.filter(({ above }) => inputTokens > above).map((long) => longPrices(usual, long))];
}

function longPrices(usual: FlatPrices, { above: _, ...long }: LongPromptPrices): FlatPrices {
  const { cachedInputPrice, cacheWritePrice, longCacheWritePrice, reasoningPrice, ...others } = usual;
  const cache = long.inputPrice === undefined ? { cachedInputPrice, cacheWritePrice, longCacheWritePrice } : {};
  const reasoning = reasoningPrice && { reasoningPrice: Math.max(reasoningPrice, long.outputPrice ?? 0) };
  return { ...others, ...reasoning, ...defined(cache), ...long };
}

/**
 * Returns the cost of a request without its answer, including the fee for each request.
 * @returns undefined if the catalog has no input price.
 */
export function inputCost(tokens: number, prices: Prices): number | undefined {
  const { inputPrice, requestPrice = 0 } = pricesFor(tokens, prices);
  return inputPrice === undefined ? undefined : (tokens * inputPrice) / MILLION + requestPrice;
}

/**
 * @param inputTokens of the same request, because some models have other prices for long prompts.
 * @returns undefined if the catalog has no output price.
 */
export function outputCost(tokens: number, prices: Prices, inputTokens: number): number | undefined {
  const { outputPrice } = pricesFor(inputTokens, prices);
  return outputPrice === undefined ? undefined : (tokens * outputPrice) / MILLION;
}

/** Fractions of the input price that are used where the catalog has no price. Most models' vendors document these. */
const DEFAULT_MULTIPLES = { cachedInput: 0.1, cacheWrite: 1.25, longCacheWrite: 2 } as const;

export interface CachePrice {
  readonly kind: keyof typeof DEFAULT_MULTIPLES;
  /** US dollars per 1M tokens. */
  readonly price: number;
  /** True if the catalog has no such price, so that it is derived from the input price. */
  readonly isAssumed: boolean;
}

/**
 * Returns the prices for reading and writing a model's cache, as used in bills. Empty if the catalog has no input
 * price.
 */
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
  | 'reasoning'
  | 'audioOutput'
  | 'imageOutput'
  | 'webSearch'
  | 'request';

/** One line of a bill: an amount of one kind, and its price. */
export interface CostLine {
  readonly kind: CostKind;
  /** Tokens; for `webSearch`, searches; for `request`, 1. */
  readonly amount: number;
  /** US dollars per 1M tokens, per search, or per request. */
  readonly price: number;
  /** True if the catalog has no price of this kind, so that it is derived from another. */
  readonly isAssumed: boolean;
  /** US dollars. */
  readonly cost: number;
}

/**
 * Returns the cost of an exchange at the prices of a catalog. Cache tokens for which it has no price are billed as
 * {@link DEFAULT_MULTIPLES} of the input price. Reasoning is part of the output.
 * @returns US dollars; undefined if a price is missing for tokens that were used.
 */
export function priceOf(usage: Usage, prices: Prices): number | undefined {
  const lines = costLines(usage, prices);
  return lines && sumOf(lines);
}

/** Whether reasoning has a price of its own, and the usage does not report how much of the output it was. */
export function isReasoningOpen(usage: Usage | undefined, prices: Prices | undefined): boolean {
  if (usage === undefined || usage.reasoningTokens !== undefined || usage.outputTokens === 0) return false;
  return prices?.reasoningPrice !== undefined;
}

/** Returns the sum of a bill in US dollars. */
export function sumOf(lines: readonly CostLine[]): number {
  return lines.reduce((sum, { cost }) => sum + cost, 0);
}

/** Returns the bill of {@link priceOf} line by line, without unused kinds. */
export function costLines(usage: Usage, listed: Prices): readonly CostLine[] | undefined {
  const prices = listed.longPrompts === undefined ? listed : pricesFor(usage.inputTokens, listed);
  const { inputPrice, outputPrice, webSearchPrice, requestPrice } = prices;
  if (inputPrice === undefined || (outputPrice === undefined && usage.outputTokens > 0)) return undefined;
  const bill = new PricedLines();
  addInput(bill, usage, inputPrice, prices);
  addOutput(bill, usage, outputPrice ?? 0, prices);
  const { webSearches } = usage;
  if (webSearchPrice !== undefined && webSearches) bill.add('webSearch', webSearches, webSearchPrice, undefined, 1);
  if (requestPrice !== undefined) bill.add('request', 1, requestPrice, undefined, 1);
  return bill.lines;
}

const CACHE_KINDS: ReadonlySet<CostKind> = new Set(['cachedInput', 'cacheWrite', 'longCacheWrite']);

/**
 * Returns how much the cache reduced a bill: reads save money, writes cost extra.
 * @param inputPrice the price of uncached input.
 * @returns US dollars, negative if writes cost more than reads saved; undefined if no cache was used.
 */
export function cacheSaving(bill: readonly CostLine[], inputPrice: number): number | undefined {
  const cached = bill.filter(({ kind }) => CACHE_KINDS.has(kind));
  if (cached.length === 0) return undefined;
  return cached.reduce((sum, { amount, cost }) => sum + (amount * inputPrice) / MILLION - cost, 0);
}

/**
 * Returns how much more the missed tokens cost than if they had been read from the cache.
 * @returns US dollars; undefined if the catalog has no input price.
 */
export function missCost(missedTokens: number, usage: Usage, listed: Prices): number | undefined {
  const prices = pricesFor(usage.inputTokens, listed);
  const { inputPrice } = prices;
  if (inputPrice === undefined) return undefined;
  const bill = new PricedLines();
  addInput(bill, usage, inputPrice, prices);
  const written = bill.lines.filter(({ kind }) => kind === 'cacheWrite' || kind === 'longCacheWrite');
  const writtenTokens = sum(written.map(({ amount }) => amount));
  const paid = writtenTokens > 0 ? (sum(written.map(({ cost }) => cost)) / writtenTokens) * MILLION : inputPrice;
  const read = prices.cachedInputPrice ?? part(inputPrice, 'cachedInput');
  return (missedTokens * (paid - read)) / MILLION;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

class PricedLines {
  readonly lines: CostLine[] = [];

  /**
   * @param assumed the price to use if there is none.
   * @param unit the number of tokens, searches, or requests that the price is for.
   */
  add(kind: CostKind, amount: number, price: number | undefined, assumed = 0, unit = MILLION): void {
    const rate = price ?? assumed;
    this.lines.push({ kind, amount, price: rate, isAssumed: price === undefined, cost: (amount * rate) / unit });
  }
}

/** Each kind of input takes what the kinds before it have left. */
function addInput(bill: PricedLines, usage: Usage, price: number, prices: FlatPrices): void {
  const { inputTokens, cachedInputTokens, cacheWriteTokens, longCacheWriteTokens = 0 } = usage;
  const cached = Math.min(cachedInputTokens ?? 0, inputTokens);
  const written = Math.min(cacheWriteTokens ?? 0, inputTokens - cached);
  const long = Math.min(longCacheWriteTokens, written);
  const audio = Math.min(usage.audioInputTokens ?? 0, inputTokens - cached - written);
  const image = Math.min(usage.imageInputTokens ?? 0, inputTokens - cached - written - audio);
  const plain = inputTokens - cached - written - audio - image;
  const { cacheWritePrice, longCacheWritePrice } = prices;
  if (plain > 0) bill.add('input', plain, price);
  if (cached > 0) bill.add('cachedInput', cached, prices.cachedInputPrice, part(price, 'cachedInput'));
  if (written > long) bill.add('cacheWrite', written - long, cacheWritePrice, part(price, 'cacheWrite'));
  if (long > 0) bill.add('longCacheWrite', long, longCacheWritePrice, part(price, 'longCacheWrite'));
  if (audio > 0) bill.add('audioInput', audio, prices.audioInputPrice, price);
  if (image > 0) bill.add('imageInput', image, prices.imageInputPrice ?? price);
}

function addOutput(bill: PricedLines, usage: Usage, price: number, prices: FlatPrices): void {
  const { outputTokens } = usage;
  const audio = Math.min(usage.audioOutputTokens ?? 0, outputTokens);
  const image = Math.min(usage.imageOutputTokens ?? 0, outputTokens - audio);
  const other = outputTokens - audio - image;
  const reasoning = prices.reasoningPrice === undefined ? 0 : Math.min(usage.reasoningTokens ?? 0, other);
  if (reasoning > 0) bill.add('reasoning', reasoning, prices.reasoningPrice);
  if (other > reasoning) bill.add('output', other - reasoning, price);
  if (audio > 0) bill.add('audioOutput', audio, prices.audioOutputPrice, price);
  if (image > 0) bill.add('imageOutput', image, prices.imageOutputPrice ?? price);
}

/** Returns a part of a price, rounded to remove the error of binary fractions. */
function part(price: number, kind: keyof typeof DEFAULT_MULTIPLES): number {
  return Number((price * DEFAULT_MULTIPLES[kind]).toPrecision(12));
}
