/** Queries of the usage view, and their results. They contain only sums, so that a year takes no longer than a day. */

import type { Accuracy } from '../rules/exchange.ts';

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
  /** Exchanges with the outcome `failed`, which Traffic lists by the same name. */
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

/** Sums for one model. An empty name means unknown. */
export interface UsageModel extends UsageSums {
  readonly name: string;
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
