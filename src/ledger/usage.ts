/** Queries of the usage view, and their results. They contain only sums, so that a year takes no longer than a day. */

import type { CacheMissReason } from '../rules/cacheMiss.ts';
import type { Accuracy, ExchangeEnd, Source } from '../rules/exchange.ts';

/** Days in the machine's time zone, such as `2026-11-21`. Includes `last`. */
export interface UsagePeriod {
  readonly first: string;
  readonly last: string;
}

/** Selects exchanges. Those of the sandbox cost nothing and are never mixed with others. */
export interface UsageScope {
  readonly period: UsagePeriod;
  readonly ofSandbox: boolean;
}

/** The account whose balance is compared with the recorded cost. */
export interface UsageAccount {
  /** Identifies the combination of key and address without revealing the key. */
  readonly id: string;
  /** ID of the upstream that charges the account. */
  readonly upstream: string;
}

export interface UsageQuestion extends UsageScope {
  /** Path of the ledger's file. */
  readonly ledger: string;
  /** Undefined without a connection. */
  readonly account?: UsageAccount;
}

export interface UsageSums {
  readonly exchanges: number;
  /** Exchanges that neither completed nor ended because the client disconnected. */
  readonly failed: number;
  /** Exchanges that used tokens of unknown price. */
  readonly unpriced: number;
  /** Exchanges with estimated tokens. */
  readonly estimated: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Included in the input. */
  readonly cachedInputTokens: number;
  /** Included in the input. */
  readonly cacheWriteTokens: number;
  /** Included in the output. */
  readonly reasoningTokens: number;
  /** US dollars, for exchanges with a known price. */
  readonly cost: number;
  /** US dollars: the part of `cost` for usage that no upstream reported. Undefined if there is none. */
  readonly unconfirmed?: number;
  /** US dollars that the cache saved. Negative if writing to it cost more than reading from it saved. */
  readonly cacheSaving: number;
}

/** Milliseconds. Undefined if no answer was timed. */
export interface UsageTimes {
  readonly median: number;
  readonly p95: number;
}

/** Sums for one value of a dimension. An empty name means unknown. */
export interface UsageGroup extends UsageSums {
  readonly name: string;
}

export interface UsageModel extends UsageGroup {
  /** Accuracy of the estimates of its usage, as of the last estimate. */
  readonly accuracy?: Accuracy;
  readonly firstByte?: UsageTimes;
}

/** A part of the editor, or a local key of the gateway. */
export interface UsageCaller extends UsageSums {
  readonly source: string;
  readonly localKeyId: string;
}

/** One model in one unit of the period. */
export interface UsageSpend {
  /** `2026-11-21`, or `2026-11-21T09` for an hour. */
  readonly time: string;
  readonly model: string;
  readonly cost: number;
  readonly exchanges: number;
  /** Exchanges with estimated tokens. */
  readonly estimated: number;
}

/** All models in one unit of the period. */
export interface UsageMoment extends UsageSums {
  readonly time: string;
  readonly firstByte?: UsageTimes;
}

/** A histogram of durations. */
export interface UsageDistribution extends UsageTimes {
  readonly exchanges: number;
  /** In ascending order, without gaps. Milliseconds. */
  readonly bars: readonly { readonly from: number; readonly to: number; readonly exchanges: number }[];
}

/** Compares the change of the balance between readings with the cost recorded in the same time. US dollars. */
export interface Reconciliation {
  /** Milliseconds since the epoch, of the first and the last reading. */
  readonly from: number;
  readonly to: number;
  readonly readings: number;
  /**
   * How much the balance fell. If it rose between two readings, credit was added, and the interval is excluded on both
   * sides.
   */
  readonly drawn: number;
  readonly recorded: number;
  /** Exchanges without a known price, and exchanges with estimated tokens. */
  readonly unpriced: number;
  readonly estimated: number;
  readonly topUps: number;
}

/** The unit of one bar: hours of a single day, weeks of a long period. A week is identified by its Monday. */
export type UsageUnit = 'hour' | 'day' | 'week';

export interface UsageReport {
  readonly period: UsagePeriod;
  readonly unit: UsageUnit;
  readonly totals: UsageSums;
  /**
   * The number of requests of the period that are not in the sums: those of the sandbox, or while it is on, all others.
   * Undefined if only one kind is known.
   */
  readonly notCounted?: number;
  readonly moments: readonly UsageMoment[];
  readonly spends: readonly UsageSpend[];
  /** All models, most expensive first. */
  readonly models: readonly UsageModel[];
  readonly callers: readonly UsageCaller[];
  readonly clients: readonly UsageGroup[];
  /** Only the most expensive ones. */
  readonly conversations: readonly UsageGroup[];
  readonly firstByte?: UsageDistribution;
  readonly duration?: UsageDistribution;
  /** The account's cost of the last days, independent of the period. */
  readonly pace: UsagePace;
  readonly reconciliation?: Reconciliation;
}

export interface UsagePace {
  /** From the first of these days with a cost until now. */
  readonly days: number;
  /** Total cost in US dollars. */
  readonly cost: number;
}

/** A line of an export: the sums of one day for one combination of all dimensions. */
export interface UsageLine extends UsageSums {
  readonly day: string;
  readonly source: string;
  readonly localKeyId: string;
  readonly client: string;
  readonly model: string;
  readonly upstream: string;
  readonly conversationId: string;
}

/** The sums of some requests, read from their rows. */
interface RequestSums {
  readonly exchanges: number;
  readonly unpriced: number;
  readonly estimated: number;
  readonly inputTokens: number;
  /** US dollars, for requests with a known price. */
  readonly cost: number;
  /** US dollars that cache reads saved, minus the additional cost of cache writes. */
  readonly cacheSaving: number;
}

/** Sums that also say what caches missed. */
interface CachedSums extends RequestSums {
  /** Included in the input. */
  readonly cachedInputTokens: number;
  /** US dollars that avoidable cache misses have cost. */
  readonly avoidable: number;
}

/** The sums of one session in a period. */
export interface SessionSums extends CachedSums {
  readonly sessionId: string;
  /** Times of the first and the last request in the period, in milliseconds since the epoch. */
  readonly at: number;
  readonly lastAt: number;
  readonly source: Source;
  /** An empty string means unknown, here and below. */
  readonly localKeyId: string;
  readonly client: string;
  readonly conversationId: string;
  /** The most expensive model, and the number of other models. */
  readonly model: string;
  readonly otherModels: number;
  /** 0 if no request names its turn. */
  readonly turns: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  /** US dollars: the part of `cost` for usage that no upstream reported. Undefined if there is none. */
  readonly unconfirmed?: number;
  /** Whether the whole cost is sample money of the sandbox. */
  readonly isSample: boolean;
  /** The part of subagents in the cost, in US dollars. Undefined if they have cost nothing. */
  readonly subagentCost?: number;
  /** How the latest request ended. */
  readonly lastEnd: ExchangeEnd;
  readonly lastStatus?: number;
}

/** Avoidable cache misses with the same reason. */
export interface MissSums {
  readonly reason: CacheMissReason;
  readonly exchanges: number;
  /** US dollars. */
  readonly cost: number;
}

/** What caches saved and cost, in US dollars. Net, they saved `readsSaved` minus `writesExtra`. */
export interface CacheSums {
  /** What reading from caches saved, compared with the price of uncached input. */
  readonly readsSaved: number;
  /** What writing to caches cost more than uncached input. */
  readonly writesExtra: number;
  /** What avoidable misses have cost. Not part of the net saving. */
  readonly avoidable: number;
}

/** The caches in one unit of the period, with the same time as in {@link UsageMoment}. */
export interface CacheMoment extends CacheSums {
  readonly time: string;
}

/** The caches in the whole period. */
export interface CacheUsage extends CacheSums {
  /** The number of avoidable misses, and of the sessions that have one. */
  readonly misses: number;
  readonly missedSessions: number;
  /** The share of the input that was read from caches in as many days before the period. Undefined without input. */
  readonly hitRateBefore?: number;
  /** Times without use of a cache are omitted. */
  readonly moments: readonly CacheMoment[];
}

/** All sessions of one tool, or all requests of sessions on one day. */
export interface SessionGroup extends CachedSums, Pick<SessionSums, 'source' | 'localKeyId' | 'client' | 'turns'> {
  /** The day, such as `2026-11-20`. Empty in a group of a tool. */
  readonly day: string;
  readonly sessions: number;
}

/** One run of the chat panel's agent in a period. */
export interface RunSums
  extends CachedSums,
    Pick<SessionSums, 'sessionId' | 'at' | 'conversationId' | 'cacheWriteTokens' | 'outputTokens'> {
  /** The question that the run answers, as a hash. */
  readonly turnId: string;
  readonly steps: number;
}

/** What the requests of a branch cost. */
export interface BranchCost extends RequestSums, Pick<SessionSums, 'unconfirmed' | 'outputTokens'> {
  /** The time of the first request, in milliseconds since the epoch. 0 without requests. */
  readonly at: number;
}

/** The sums of one branch, or of a whole repository. */
export interface BranchSums extends BranchCost {
  readonly repository: string;
  /** Empty in the sums of a repository, and if it is not known. */
  readonly branch: string;
}

/** Asks for the sums of all requests of a branch that the ledger still has. */
export interface BranchQuestion extends Pick<UsageScope, 'ofSandbox'> {
  /** Path of the ledger's file. */
  readonly ledger: string;
  readonly repository: string;
  /** Undefined if it is not known. */
  readonly branch?: string;
}

export interface UsageSessions {
  /** Number of sessions in the period. */
  readonly count: number;
  /** Only the most expensive ones. */
  readonly sessions: readonly SessionSums[];
  /** All sessions of the period by tool, the most expensive first, and by day, the latest first. */
  readonly byTool: readonly SessionGroup[];
  readonly byDay: readonly SessionGroup[];
  /** The agent's runs, only the most expensive ones. */
  readonly runs: readonly RunSums[];
  /** The requests with a known repository, by repository and by branch. Only the most expensive ones. */
  readonly byRepository: readonly BranchSums[];
  readonly byBranch: readonly BranchSums[];
  /** For all requests of the period, most expensive reason first. */
  readonly misses: readonly MissSums[];
  readonly cache: CacheUsage;
}
