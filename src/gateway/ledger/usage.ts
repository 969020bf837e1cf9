/** What the usage view asks of the ledger, and what it gets: sums alone, so that a year is as quick as a day. */

import type { CacheMissReason } from '../../rules/cacheMiss.ts';
import type { ExchangeEnd, Source } from '../../rules/exchange.ts';
import type { Accuracy } from '../core/usageEstimator.ts';

/** Days of the machine's time zone, such as `2026-11-21`; the last one is part of the period. */
export interface UsagePeriod {
  readonly first: string;
  readonly last: string;
}

/** Which exchanges: those of the sandbox cost nothing and never stand beside those that do. */
export interface UsageScope {
  readonly period: UsagePeriod;
  readonly ofSandbox: boolean;
}

/** The account whose balance is compared with what was recorded. */
export interface UsageAccount {
  /** Tells one key at one address from another without saying the key. */
  readonly id: string;
  /** The id of the upstream that draws on it. */
  readonly upstream: string;
}

export interface UsageQuestion extends UsageScope {
  /** The path of the ledger. */
  readonly ledger: string;
  /** Absent without a connection. */
  readonly account?: UsageAccount;
}

export interface UsageSums {
  readonly exchanges: number;
  /** Of them: without an answer. */
  readonly failed: number;
  /** Of them: used tokens whose price is not known. */
  readonly unpriced: number;
  /** Of them: their tokens are estimates. */
  readonly estimated: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Part of the input. */
  readonly cachedInputTokens: number;
  /** Part of the input. */
  readonly cacheWriteTokens: number;
  /** Part of the output. */
  readonly reasoningTokens: number;
  /** US dollars, of the exchanges whose price is known. */
  readonly cost: number;
  /** US dollars by which the cache made it less; below zero where writing cost more than reading saved. */
  readonly cacheSaving: number;
}

/** Milliseconds. Absent where no answer was timed. */
export interface UsageTimes {
  readonly median: number;
  readonly p95: number;
}

/** One of what sums are told apart by. `''` stands for what nobody knows. */
export interface UsageGroup extends UsageSums {
  readonly name: string;
}

export interface UsageModel extends UsageGroup {
  /** How far estimates of its usage were off when it was last estimated. */
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
  /** Of them: their tokens are estimates. */
  readonly estimated: number;
}

/** All models at one time. */
export interface UsageMoment extends UsageSums {
  readonly time: string;
  readonly firstByte?: UsageTimes;
}

/** How many answers took how long. */
export interface UsageDistribution extends UsageTimes {
  readonly exchanges: number;
  /** In their order, without gaps. Milliseconds. */
  readonly bars: readonly { readonly from: number; readonly to: number; readonly exchanges: number }[];
}

/** What the balance did between two readings, beside what the ledger knows of the same time. US dollars. */
export interface Reconciliation {
  /** Milliseconds since the epoch, of the first and the last reading. */
  readonly from: number;
  readonly to: number;
  readonly readings: number;
  /** By how much the balance fell. Where it rose, credit was added; such steps are left out on both sides. */
  readonly drawn: number;
  readonly recorded: number;
  /** Exchanges of the time that the ledger has no price for, and those with estimated tokens. */
  readonly unpriced: number;
  readonly estimated: number;
  readonly topUps: number;
}

/** What one bar stands for: hours of a single day, weeks of a long period. A week is named by its Monday. */
export type UsageUnit = 'hour' | 'day' | 'week';

export interface UsageReport {
  readonly period: UsagePeriod;
  readonly unit: UsageUnit;
  readonly totals: UsageSums;
  readonly moments: readonly UsageMoment[];
  readonly spends: readonly UsageSpend[];
  /** All by cost, the most expensive first. */
  readonly models: readonly UsageModel[];
  readonly callers: readonly UsageCaller[];
  readonly clients: readonly UsageGroup[];
  /** The most expensive ones. */
  readonly conversations: readonly UsageGroup[];
  readonly firstByte?: UsageDistribution;
  readonly duration?: UsageDistribution;
  /** What the account paid on the last days, whatever the period. */
  readonly pace: UsagePace;
  readonly reconciliation?: Reconciliation;
}

export interface UsagePace {
  /** From the first of them with an expense until now. */
  readonly days: number;
  /** US dollars, of all of them together. */
  readonly cost: number;
}

/** One line of an export: the sums of a day of all that is told apart. */
export interface UsageLine extends UsageSums {
  readonly day: string;
  readonly source: string;
  readonly localKeyId: string;
  readonly client: string;
  readonly model: string;
  readonly upstream: string;
  readonly conversationId: string;
}

/** The sums of one session in a period. */
export interface SessionSums {
  readonly sessionId: string;
  /** Milliseconds since the epoch, of the first and the last request in the period. */
  readonly at: number;
  readonly lastAt: number;
  readonly source: Source;
  /** `''` stands for what nobody knows, here and below. */
  readonly localKeyId: string;
  readonly client: string;
  readonly conversationId: string;
  /** The model that cost the most, and how many others there were. */
  readonly model: string;
  readonly otherModels: number;
  /** 0 if no request names its turn. */
  readonly turns: number;
  readonly exchanges: number;
  readonly unpriced: number;
  readonly estimated: number;
  readonly inputTokens: number;
  /** Parts of the input. */
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  /** US dollars, of the requests whose price is known. */
  readonly cost: number;
  /** The whole cost is sample money of the sandbox. */
  readonly isSample: boolean;
  /** US dollars that reading from caches saved, less what writing to them cost more. */
  readonly cacheSaving: number;
  /** US dollars that avoidable cache misses have cost. */
  readonly avoidable: number;
  /** How the latest request ended. */
  readonly lastEnd: ExchangeEnd;
  readonly lastStatus?: number;
}

/** Avoidable cache misses of one reason. */
export interface MissSums {
  readonly reason: CacheMissReason;
  readonly exchanges: number;
  /** US dollars. */
  readonly cost: number;
}

export interface UsageSessions {
  /** Of the period. */
  readonly count: number;
  /** The most expensive ones. */
  readonly sessions: readonly SessionSums[];
  /** Of all requests of the period, the most expensive reason first. */
  readonly misses: readonly MissSums[];
}
