/**
 * The messages between the Usage view and its host. The host sends the whole state after each change; it has a few
 * kilobytes, since the ledger returns sums. It never contains keys, paths, or texts of conversations except their
 * titles.
 */

import type { ContextLine } from '../../ledger/contextSums.ts';
import type { UsageSessions } from '../../ledger/sessionUsage.ts';
import type { UsagePeriod, UsageReport } from '../../ledger/usage.ts';
import type { ExchangeFilter } from '../../rules/exchangeFilter.ts';
import type { TeamAccount } from '../../rules/teamAccount.ts';
import type { CostRange } from '../../tokens/costRange.ts';

export type { ContextLine } from '../../ledger/contextSums.ts';
export type {
  BranchSums,
  CacheMoment,
  CacheSums,
  CacheUsage,
  MissSums,
  RunSums,
  SessionGroup,
  SessionSums,
  UsageSessions,
} from '../../ledger/sessionUsage.ts';
export type {
  Reconciliation,
  UsageCaller,
  UsageDistribution,
  UsageModel,
  UsageMoment,
  UsagePace,
  UsagePeriod,
  UsageReport,
  UsageSpend,
  UsageSums,
  UsageTimes,
  UsageUnit,
} from '../../ledger/usage.ts';

/** `month` is the current calendar month. */
export type PeriodChoice =
  | { readonly kind: 'today' | '7days' | '30days' | 'month' }
  | { readonly kind: 'dates'; readonly period: UsagePeriod };

/** A view of the period's requests. */
export type UsageTab = 'spend' | 'models' | 'keys' | 'sessions' | 'cache' | 'contexts' | 'branches';

/** What the page keeps while it is hidden. */
export interface KeptUsage {
  readonly choice?: PeriodChoice;
  readonly tab?: UsageTab;
}

export interface UsageState {
  readonly choice: PeriodChoice;
  /** The days of the current choice. */
  readonly period: UsagePeriod;
  /**
   * The report for this period or, while another one is being read, the previous one. Undefined until the first was
   * read.
   */
  readonly report?: UsageReport;
  /** The sessions of the same period. Undefined until they were read. */
  readonly sessions?: UsageSessions;
  /** Why the sessions could not be read. */
  readonly sessionsProblem?: string;
  /** What the requests of the period would have cost on other models, the most expensive first. */
  readonly whatIf?: readonly ModelRange[];
  /** The usage of the service key, if it belongs to a team's gateway. The other figures are those of this computer. */
  readonly team?: TeamUsage;
  /** What filled the contexts of the period, the most expensive first. Undefined until it was read. */
  readonly contexts?: readonly ContextLine[];
  readonly isReading: boolean;
  /** Why the ledger could not be read. */
  readonly problem?: string;
  /** The time of the state, in milliseconds since the epoch. */
  readonly now: number;
  /** The current connection. */
  readonly connection: 'none' | 'hosted' | 'sandbox';
  /** Whether the dashboard's address is known, which "Add credit" opens. */
  readonly hasDashboard: boolean;
  /** The remaining balance in US dollars. Undefined if it is unknown or in another currency. */
  readonly balance?: number;
  /** Names of the local keys by ID, also of revoked ones. */
  readonly keyNames: Readonly<Record<string, string>>;
  /** Titles of the saved conversations among the sessions and runs, by ID. */
  readonly conversationTitles: Readonly<Record<string, string>>;
}

/** The usage of a key as its team's gateway has recorded it. */
export interface TeamUsage {
  readonly account: TeamAccount;
  /** The host of the gateway, with its port if it is unusual. */
  readonly host: string;
  /** Undefined until it was first read. */
  readonly report?: UsageReport;
  /** Why the usage could not be read. */
  readonly problem?: string;
}

/** In US dollars, for all requests of the period. */
export interface ModelRange extends CostRange {
  readonly model: string;
}

export type UsageHostMessage = { readonly type: 'state'; readonly state: UsageState };

/** A filter for the exchanges that the Traffic view shows. */
export interface TrafficFilter extends Omit<ExchangeFilter, 'outcome' | 'source' | 'terms'> {
  readonly source?: string;
  /** Words of the filter, such as `miss:tools_changed`. */
  readonly text?: string;
}

export type ExportFormat = 'csv' | 'json';
