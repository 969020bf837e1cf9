/** Sums of sessions and runs, and what caches saved. */

import type { CacheMissReason } from '../rules/cacheMiss.ts';
import type { ExchangeEnd, RequestSource } from '../rules/exchange.ts';
import type { UsageScope, UsageSums } from './usage.ts';

/** The sums of one session in a period. */
export interface SessionSums extends CachedSums {
  readonly sessionId: string;
  /** Times of the first and the last request in the period, in milliseconds since the epoch. */
  readonly at: number;
  readonly lastAt: number;
  readonly source: RequestSource;
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

type RequestSums = Pick<UsageSums, 'exchanges' | 'unpriced' | 'estimated' | 'inputTokens' | 'cost' | 'cacheSaving'>;

/** Sums that also say what caches missed. */
export interface CachedSums extends RequestSums {
  /** Included in the input. */
  readonly cachedInputTokens: number;
  /** US dollars that avoidable cache misses have cost. */
  readonly avoidable: number;
}

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
