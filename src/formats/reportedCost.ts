/** What some services report, beside the counts of tokens, that they have charged for an answer. */
import type { Usage } from './conversation.ts';
import { isRecord, type JsonRecord } from './json.ts';

/** The members of a usage object that {@link reportedCost} reads. */
export const COST_MEMBERS: readonly string[] = ['cost', 'is_byok', 'cost_details', 'cost_in_usd_ticks'];

const TICKS_PER_DOLLAR = 10_000_000_000;
/** A larger amount for one answer, in US dollars, is an error. */
const MAX_COST = 1_000_000;

export function isCost(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_COST;
}

/**
 * Returns the amount in a usage object, in US dollars: `cost`, a number or an object with the total, or
 * `cost_in_usd_ticks`.
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
