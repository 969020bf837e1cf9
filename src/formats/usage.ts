/** The usage of an answer: which numbers are valid, and what services report beside the counts of tokens. */
import { isRecord, type JsonRecord } from './json.ts';

/** `inputTokens` is the whole prompt, including tokens read from or written to a cache. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
  readonly cacheWriteTokens?: number;
  /** Part of `cacheWriteTokens`: written to the cache for an hour or longer, at a price of its own. */
  readonly longCacheWriteTokens?: number;
  /** Parts of `inputTokens`. */
  readonly audioInputTokens?: number;
  readonly imageInputTokens?: number;
  /** Part of `outputTokens`. */
  readonly reasoningTokens?: number;
  /** Parts of `outputTokens`. */
  readonly audioOutputTokens?: number;
  readonly imageOutputTokens?: number;
  /** Number of web searches by a tool of the service, which have a fee of their own. */
  readonly webSearches?: number;
  /** What the service reports that it has charged for the whole answer, in US dollars. */
  readonly reportedCost?: number;
  /** True if the answer names a service tier, speed, or region whose prices are not the catalog's. */
  readonly hasUnlistedPrice?: true;
}

/** Larger counts are errors. */
const MAX_TOKENS = 1e10;

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_TOKENS;
}

/** Returns only the numbers of tokens and the amounts that are valid, or `undefined` if the total input or output is invalid. */
export function validUsage({ reportedCost, ...usage }: Usage): Usage | undefined {
  if (!isCount(usage.inputTokens) || !isCount(usage.outputTokens)) return undefined;
  const counts = Object.entries(usage).filter(([, count]) => isCount(count));
  const cost = isCost(reportedCost) ? { reportedCost } : {};
  return {
    ...cost,
    ...Object.fromEntries(counts),
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
  };
}

export const COST_MEMBERS: readonly string[] = ['cost', 'is_byok', 'cost_details', 'cost_in_usd_ticks'];

const TICKS_PER_DOLLAR = 10_000_000_000;
/** A larger amount for one answer, in US dollars, is an error. */
const MAX_COST = 1_000_000;

export function isCost(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_COST;
}

/**
 * Returns what a service reports that it has charged for an answer, in US dollars: `cost`, a number or an object with
 * the total, or `cost_in_usd_ticks`.
 */
export function reportedCost({ cost, cost_in_usd_ticks: ticks, ...others }: JsonRecord): number | undefined {
  const amount = isRecord(cost) ? totalOf(cost) : (cost ?? undefined);
  if (amount === undefined) return typeof ticks === 'number' ? valid(ticks / TICKS_PER_DOLLAR) : undefined;
  return isCost(amount) ? valid(amount + vendorsCost(amount, others)) : undefined;
}

function totalOf({ total_cost: total, currency = 'USD' }: JsonRecord): unknown {
  return currency === 'USD' ? total : undefined;
}

/**
 * With the caller's own key of a vendor, the vendor charges the caller, and `cost` is only the service's fee. Otherwise, the
 * vendor's amount is part of `cost`. Earlier versions of that service did not name the kind of key.
 */
function vendorsCost(fee: number, { is_byok: isOwnKey, cost_details: details }: JsonRecord): number {
  const amount = isRecord(details) ? details.upstream_inference_cost : undefined;
  return isCost(amount) && (isOwnKey ?? amount > fee) === true ? amount : 0;
}

function valid(amount: number): number | undefined {
  return isCost(amount) ? amount : undefined;
}

/** Returns the usage as counted in tokens, for an estimate, or for a service whose reported amount is not used. */
export function withoutReportedCost<Reported extends Usage | undefined>(usage: Reported): Usage | Reported {
  if (usage?.reportedCost === undefined) return usage;
  const { reportedCost: _, ...counts }: Usage = usage;
  return counts;
}

/** Tiers whose prices are not the catalog's. */
const TIERS: ReadonlySet<unknown> = new Set(['priority', 'flex', 'batch']);

/** Whether an answer names a tier, speed, or region whose prices are not the catalog's, beside its usage or in it. */
export function hasUnlistedPrice(value: JsonRecord, usage: JsonRecord): boolean {
  const { response, message } = value;
  if (isUnlisted(value) || isUnlisted(usage)) return true;
  const inner = response ?? message;
  return inner !== undefined && isRecord(inner) && isUnlisted(inner);
}

function isUnlisted({ service_tier: tier, speed, inference_geo: region }: JsonRecord): boolean {
  return TIERS.has(tier) || speed === 'fast' || region === 'us';
}

/** Marks the decoded usage of an answer if the answer names such a tier, speed, or region. */
export function withUnlistedPrice(usage: Usage | undefined, answer: JsonRecord, wire: unknown): Usage | undefined {
  const isUnlisted = usage !== undefined && hasUnlistedPrice(answer, isRecord(wire) ? wire : {});
  return isUnlisted ? { ...usage, hasUnlistedPrice: true } : usage;
}
