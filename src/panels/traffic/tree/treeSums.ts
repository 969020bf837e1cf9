import type { SessionSums, TrafficRow } from '../../../pages/traffic/protocol.ts';
import { isAvoidable } from '../../../rules/cacheMiss.ts';
import { billedUsages } from '../../../rules/exchange.ts';
import { isSample } from '../words.ts';

/** The figures of a request, or of all requests below a node. Undefined members are unknown. */
export interface TreeSums {
  readonly requests: number;
  /** In tokens. The parts of the input add up to the whole. */
  readonly uncached?: number;
  readonly read?: number;
  readonly written?: number;
  readonly output?: number;
  /** In US dollars. */
  readonly cost?: number;
  /** The cost of avoidable cache misses, in US dollars. */
  readonly avoidable: number;
  /** True if the cost is a sample amount of the sandbox. */
  readonly isSample: boolean;
  /** True if some of the tokens were estimated. */
  readonly isEstimated: boolean;
  /** The part of the cost for usage that no upstream reported, in US dollars. Undefined if there is none. */
  readonly unconfirmed?: number;
}

/** Dollars are added as whole billionths, so that a sum equals the sum in the ledger exactly. */
const BILLIONTHS = 1e9;

export function sumsOfSession(session: SessionSums): TreeSums {
  const { exchanges, inputTokens, cachedInputTokens: read, cacheWriteTokens: written, outputTokens } = session;
  const isUnpriced = session.cost === 0 && session.unpriced > 0;
  return {
    requests: exchanges,
    uncached: inputTokens - read - written,
    read,
    written,
    output: outputTokens,
    ...(!isUnpriced && { cost: session.cost }),
    avoidable: session.avoidable,
    isSample: session.isSample,
    isEstimated: session.estimated > 0,
    ...(session.unconfirmed !== undefined && { unconfirmed: session.unconfirmed }),
  };
}

export function sumsOfRows(rows: readonly TrafficRow[]): TreeSums {
  const counted = rows.flatMap(billedUsages);
  const priced = rows.filter(({ cost }) => cost !== undefined);
  const money = priced.filter((row) => !isSample(row));
  // Sample amounts are never added to real ones.
  const costs = (money.length > 0 ? money : priced).map(({ cost = 0 }) => cost);
  const knowsCache = counted.some(({ cachedInputTokens }) => cachedInputTokens !== undefined);
  const unconfirmed = dollars((money.length > 0 ? money : priced).map(unconfirmedOf));
  const read = total(counted.map(({ cachedInputTokens = 0 }) => cachedInputTokens));
  const written = total(counted.map(({ cacheWriteTokens = 0 }) => cacheWriteTokens));
  return {
    requests: rows.length,
    ...(counted.length > 0 && {
      uncached: total(counted.map(({ inputTokens }) => inputTokens)) - read - written,
      output: total(counted.map(({ outputTokens }) => outputTokens)),
    }),
    ...(knowsCache && { read, written }),
    ...(costs.length > 0 && { cost: dollars(costs) }),
    avoidable: dollars(rows.map(avoidableOf)),
    isSample: money.length === 0 && priced.length > 0,
    isEstimated: rows.some(({ usageIsEstimated }) => usageIsEstimated === true),
    ...(unconfirmed > 0 && { unconfirmed }),
  };
}

/** Returns the share of the input that was read from a cache; undefined if unknown. */
export function hitRate({ uncached = 0, read, written = 0 }: TreeSums): number | undefined {
  const input = uncached + (read ?? 0) + written;
  return read === undefined || input === 0 ? undefined : read / input;
}

/** Returns US dollars. */
function avoidableOf({ cacheMiss }: TrafficRow): number {
  return cacheMiss !== undefined && isAvoidable(cacheMiss.reason) ? (cacheMiss.cost ?? 0) : 0;
}

/** Returns US dollars. */
function unconfirmedOf({ usageBound = 'reported', cost = 0, attempts = [] }: TrafficRow): number {
  const ofAttempts = attempts.map(({ usageBound: bound, cost: own = 0 }) => ({ isOpen: bound !== undefined, own }));
  const failed = total(ofAttempts.map(({ own }) => own));
  const open = total(ofAttempts.map(({ isOpen, own }) => (isOpen ? own : 0)));
  return usageBound === 'reported' ? open : cost - failed + open;
}

function dollars(amounts: readonly number[]): number {
  return total(amounts.map((usd) => Math.round(usd * BILLIONTHS))) / BILLIONTHS;
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
