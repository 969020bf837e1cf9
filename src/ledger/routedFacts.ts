import type { LedgerEntry } from './ledgerEntry.ts';

/** What an exchange for a route knows of who answers, and at its end of its usage and cost. */
export interface RoutedFacts {
  /** The names of the upstream and its model, such as `local/qwen`. */
  readonly answeredBy: string;
  readonly entry: Pick<LedgerEntry, RoutedFact>;
  /** True if the exchange has ended, so that the entry has its usage. */
  readonly isFinal: boolean;
  /** US dollars, with failed attempts. Undefined before the end, and without usage or prices. */
  readonly cost?: number | undefined;
}

/** The members of an entry that the router decides, and not the extension. */
type RoutedFact =
  | 'upstream'
  | 'upstreamFormat'
  | 'answeredModel'
  | 'attempts'
  | 'route'
  | 'usage'
  | 'usageIsEstimated'
  | 'usageBound'
  | 'estimateAccuracy'
  | 'cacheIsAssumed'
  | 'prices'
  | 'cost';
