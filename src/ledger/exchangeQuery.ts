/** Queries for single exchanges, and their results, as listed in the traffic view. */
import type { CacheMissReason } from '../rules/cacheMiss.ts';
import type { ExchangeFilter } from '../rules/exchangeFilter.ts';
import type { CostLine } from '../tokens/price.ts';
import type { EntryFacts } from './ledgerEntry.ts';
import type { SessionSums } from './sessionUsage.ts';

export interface ExchangeQuestion {
  /** Path of the ledger's file. */
  readonly ledger: string;
  readonly filter: ExchangeFilter;
  /** Only exchanges older than this one. If undefined, the page starts with the newest. */
  readonly before?: Pick<ExchangeRow, 'at' | 'number'>;
  /** Only exchanges entered after the one with this number. */
  readonly after?: number;
  readonly limit: number;
}

export interface ExchangeRow extends EntryFacts {
  /** The row number. Later entries have higher numbers. */
  readonly number: number;
  /** US dollars. Undefined if unknown. */
  readonly cost?: number;
  /** The lines that add up to the cost. Undefined without a cost. */
  readonly bill?: readonly CostLine[];
  /** US dollars that the cache saved. Undefined if the cache was not used. */
  readonly cacheSaving?: number;
  readonly cacheMiss?: {
    readonly reason: CacheMissReason;
    readonly missedTokens: number;
    /** US dollars that reading the tokens from the cache would have saved. Undefined if unknown. */
    readonly cost?: number;
  };
  /** US dollars per million tokens, as of the exchange. */
  readonly prices?: { readonly input: number; readonly output: number; readonly cachedInput?: number };
}

export interface ExchangePage {
  /** By start time, latest first. */
  readonly rows: readonly ExchangeRow[];
  /** Number of all exchanges that match the filter. */
  readonly exchanges: number;
  /** US dollars, for exchanges with a known price. Does not include the sandbox's sample money. */
  readonly cost: number;
  /** Sample money of the sandbox, in US dollars. */
  readonly sampleCost: number;
}

export type SessionQuestion = Pick<ExchangeQuestion, 'ledger' | 'filter' | 'limit'>;

export interface SessionPage {
  /** Number of all sessions with a request that matches the filter. */
  readonly count: number;
  /** By latest request, latest first, with the sums of the matching requests. */
  readonly sessions: readonly SessionSums[];
  /** Sums of the requests without a session. Undefined if there are none. */
  readonly withoutSession?: SessionSums;
}

/** Names to choose from in filters, in alphabetical order. */
export interface ExchangeNames {
  readonly models: readonly string[];
  readonly clients: readonly string[];
}
