/** Questions about single exchanges, and their answers: what the traffic view lists. */
import type { CacheMissReason } from '../../rules/cacheMiss.ts';
import type { ExchangeFilter } from '../../rules/exchangeFilter.ts';
import type { CostLine } from '../../tokens/price.ts';
import type { ExchangeFacts } from '../core/ledgerEntry.ts';
import type { SessionSums } from './usage.ts';

export interface ExchangeQuestion {
  /** The path of the ledger. */
  readonly ledger: string;
  readonly filter: ExchangeFilter;
  /** Older ones than this; the newest when absent. */
  readonly before?: Pick<ExchangeRow, 'at' | 'number'>;
  /** Those alone that were entered after this one. */
  readonly after?: number;
  readonly limit: number;
}

/** One exchange of the ledger. */
export interface ExchangeRow extends ExchangeFacts {
  /** Counts the entries of the ledger. */
  readonly number: number;
  /** US dollars; absent when nobody knows. */
  readonly cost?: number;
  /** The arithmetic behind the cost, line by line; absent without a cost. */
  readonly bill?: readonly CostLine[];
  /** US dollars by which the cache made it less; absent where there was none. */
  readonly cacheSaving?: number;
  readonly cacheMiss?: {
    readonly reason: CacheMissReason;
    readonly missedTokens: number;
    /** US dollars that reading the tokens from the cache would have saved; absent when nobody knows. */
    readonly cost?: number;
  };
  /** US dollars for a million tokens, as they were then. */
  readonly prices?: { readonly input: number; readonly output: number; readonly cachedInput?: number };
}

export interface ExchangePage {
  /** By the time of their beginning, the latest first. */
  readonly rows: readonly ExchangeRow[];
  /** Of all that the filter lets through. */
  readonly exchanges: number;
  /** US dollars, of those whose price is known. The sandbox's sample money is no part of it. */
  readonly cost: number;
  /** Sample money of the sandbox, in US dollars. */
  readonly sampleCost: number;
}

export type SessionQuestion = Pick<ExchangeQuestion, 'ledger' | 'filter' | 'limit'>;

export interface SessionPage {
  /** Of all sessions with a request that the filter lets through. */
  readonly count: number;
  /** By their latest request, the latest first, with the sums of the requests that the filter lets through. */
  readonly sessions: readonly SessionSums[];
  /** Of the requests without a session; absent if there are none. */
  readonly withoutSession?: SessionSums;
}

/** What there is to choose from, in the order of the letters. */
export interface ExchangeNames {
  readonly models: readonly string[];
  readonly clients: readonly string[];
}
