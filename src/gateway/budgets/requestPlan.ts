/** The most that a request can use, as its budget must cover it. */
import type { Usage } from '../../formats/conversation.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import { costInBillionths } from '../core/cost.ts';
import type { Listing } from '../prices/priceList.ts';
import { type AskedRequest, askedAnswers, askedOutputTokens } from './askedRequest.ts';
import type { CacheWrites, PlannedRequest } from './budgets.ts';
import { mostInput } from './inputEstimate.ts';

/** Of an answer of which neither the request nor the catalog says how long it may be, in tokens. */
const DEFAULT_MAX_OUTPUT = 32_000;

/**
 * @param bytes Length of the body.
 * @param listings What those who may be asked list for the model, and for those to fall back on. The dearest counts,
 * since a failure of one sends the request to the next.
 */
export function planRequest(
  asked: AskedRequest,
  bytes: number,
  format: WireFormat,
  listings: readonly (Listing | undefined)[],
): PlannedRequest {
  const inputTokens = mostInput(asked, bytes, format, largest(listings, 'contextWindow'));
  const longest = largest(listings, 'maxOutputTokens');
  const allowed = askedOutputTokens(asked, format.name) ?? longest ?? DEFAULT_MAX_OUTPUT;
  const one = Math.min(allowed, longest ?? Number.POSITIVE_INFINITY);
  const maxOutputTokens = Math.ceil(one * askedAnswers(asked, format.name));
  const cacheWrites = cacheWritesOf(asked, inputTokens, listings);
  const prices = dearest(listings, { inputTokens, outputTokens: maxOutputTokens, ...cacheWrites });
  const areKnown = asked.fallbacks.length === 0 || listings.every((listing) => listing?.outputPrice !== undefined);
  return { model: asked.model ?? '', inputTokens, maxOutputTokens, cacheWrites, ...(areKnown && prices && { prices }) };
}

/** @returns undefined where one of them does not say. */
function largest(
  listings: readonly (Listing | undefined)[],
  limit: 'contextWindow' | 'maxOutputTokens',
): number | undefined {
  const limits = listings.map((listing) => listing?.[limit]).filter((each) => each !== undefined);
  return limits.length === 0 || limits.length < listings.length ? undefined : Math.max(...limits);
}

/** All of the prompt, where the request marks what to cache, or the model caches by itself at a price. */
function cacheWritesOf(
  { body }: AskedRequest,
  inputTokens: number,
  listings: readonly (Listing | undefined)[],
): CacheWrites {
  const text = JSON.stringify(body);
  if (/"ttl":"(?!5m)/.test(text)) return { cacheWriteTokens: inputTokens, longCacheWriteTokens: inputTokens };
  const isWritten = text.includes('"cache_control"') || listings.some((each) => each?.cacheWritePrice !== undefined);
  return isWritten ? { cacheWriteTokens: inputTokens } : {};
}

function dearest(listings: readonly (Listing | undefined)[], usage: Usage): Listing | undefined {
  const costOf = (listing: Listing) => costInBillionths(usage, listing) ?? -1;
  return listings.filter((listing) => listing !== undefined).toSorted((a, b) => costOf(b) - costOf(a))[0];
}
