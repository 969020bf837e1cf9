import { toBillionths } from '../../ledger/cost.ts';
import { BoundedMap } from '../../rules/boundedMap.ts';
import type { Prices } from '../../service/modelPrices.ts';
import { cachePrices, inputCost, pricesFor } from '../../tokens/price.ts';
import { BYTES_PER_TOKEN } from '../core/usageEstimator.ts';
import { maxOf, type PlannedRequest } from './budgets.ts';

/** Number of requests whose cost is remembered for each model. */
const REMEMBERED = 5;
/** With fewer requests, the first one would count too much: it writes the cache that the others read. */
const MIN_REMEMBERED = 3;
const MAX_MODELS = 20;

export interface PacedRequest {
  readonly model: string;
  readonly prices: Prices | undefined;
  /** An estimate that takes no time: from the length of the body. */
  readonly inputTokens: number;
  /** The maximum cost, in billionths of a US dollar. */
  readonly maxCost: number;
}

/** @param bytes length of the body. */
export function sessionRequest(plan: PlannedRequest, bytes: number): PacedRequest {
  const { model, prices, inputTokens } = plan;
  // Content outside the body counts with the whole context window in the plan, and images with less than their bytes.
  const estimate = Math.ceil(Math.min(bytes, inputTokens) / BYTES_PER_TOKEN);
  return { model, prices, inputTokens: estimate, maxCost: maxOf(plan).cost ?? 0 };
}

interface ModelPace {
  /** The most input tokens that a request had. They may be in the cache now. */
  longest: number;
  /** Cost per input token of the last requests, in billionths of a US dollar. */
  readonly rates: number[];
}

/** What the requests of a session cost, as a measure of what the next one needs. */
export class SessionPace {
  readonly #models = new BoundedMap<string, ModelPace>(MAX_MODELS);

  /**
   * Estimates the cost of a request, in billionths of a US dollar. It is at least the price of its input, with
   * everything that was sent before read from the cache; and as much per token as most of the last requests have cost.
   */
  needOf({ model, prices, inputTokens, maxCost }: PacedRequest): number {
    const { longest = 0, rates = [] } = this.#models.get(model) ?? {};
    const byRate = rates.length < MIN_REMEMBERED ? 0 : inputTokens * median(rates);
    return Math.min(maxCost, Math.max(leastCost(inputTokens, longest, prices), byRate));
  }

  /** @param cost in billionths of a US dollar. */
  add({ model, inputTokens }: PacedRequest, cost: number): void {
    const pace = this.#models.get(model) ?? { longest: 0, rates: [] };
    this.#models.set(model, pace);
    pace.longest = Math.max(pace.longest, inputTokens);
    pace.rates.push(cost / Math.max(1, inputTokens));
    if (pace.rates.length > REMEMBERED) pace.rates.shift();
  }
}

function leastCost(inputTokens: number, known: number, prices: Prices = {}): number {
  const listed = pricesFor(inputTokens, prices);
  const [read] = cachePrices(listed);
  const cached = Math.min(known, inputTokens);
  const dollars = (inputCost(inputTokens - cached, listed) ?? 0) + (cached * (read?.price ?? 0)) / 1e6;
  return toBillionths(dollars);
}

function median(values: readonly number[]): number {
  const ordered = values.toSorted((a, b) => a - b);
  return ordered[Math.floor(ordered.length / 2)] ?? 0;
}
