import type { CacheMissReason } from '../../rules/cacheMiss.ts';

/** What an upstream's cache missed, although it could have contained it. */
export interface CacheMiss {
  readonly reason: CacheMissReason;
  /**
   * Number of tokens that an earlier request had sent, or that were sent for the first time if the reason is `cold`.
   */
  readonly missedTokens: number;
  /** The name of the tool or setting that changed. Only kept in memory. */
  readonly changed?: string;
}
