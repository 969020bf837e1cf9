/**
 * What the usage view and its host say to each other. The host sends the whole state whenever something of it changes;
 * it is some kilobytes, since the ledger gives sums. No key, no text of a conversation but its title, and no path ever
 * crosses here.
 */
import type { UsagePeriod, UsageReport, UsageSessions } from '../../gateway/ledger/usage.ts';
import type { PageReady, PageTransport } from '../webviews/protocol.ts';

export type {
  MissSums,
  Reconciliation,
  SessionSums,
  UsageCaller,
  UsageDistribution,
  UsageModel,
  UsageMoment,
  UsagePace,
  UsagePeriod,
  UsageReport,
  UsageSessions,
  UsageSpend,
  UsageSums,
  UsageTimes,
  UsageUnit,
} from '../../gateway/ledger/usage.ts';

/** `month` is the calendar month so far. */
export type PeriodChoice =
  | { readonly kind: 'today' | '7days' | '30days' | 'month' }
  | { readonly kind: 'dates'; readonly period: UsagePeriod };

export interface UsageState {
  readonly choice: PeriodChoice;
  /** The days that the choice stands for now. */
  readonly period: UsagePeriod;
  /** Of this period or, while another is being read, of the one before. Absent until the first was read. */
  readonly report?: UsageReport;
  /** Of the same period; absent until they were read. */
  readonly sessions?: UsageSessions;
  readonly isReading: boolean;
  /** Why the ledger could not be read. */
  readonly problem?: string;
  /** Milliseconds since the epoch of the state. */
  readonly now: number;
  /** Who answers now. */
  readonly connection: 'none' | 'hosted' | 'sandbox';
  /** Whether the dashboard's address is known, so that "Add credit" leads somewhere. */
  readonly hasDashboard: boolean;
  /** What is left, in US dollars. Absent when it is not known, or in another currency. */
  readonly balance?: number;
  /** Names of the local keys by their ids; those of revoked keys are gone. */
  readonly keyNames: Readonly<Record<string, string>>;
  /** Titles of the saved conversations by their ids, of those in the report. */
  readonly conversationTitles: Readonly<Record<string, string>>;
}

export type UsageHostMessage = { readonly type: 'state'; readonly state: UsageState };

/** Exchanges to be shown by the traffic view. Times are milliseconds since the epoch; `to` itself is outside. */
export interface TrafficFilter {
  readonly model?: string;
  readonly localKeyId?: string;
  readonly source?: string;
  readonly client?: string;
  readonly conversationId?: string;
  readonly sessionId?: string;
  readonly from?: number;
  readonly to?: number;
}

export type ExportFormat = 'csv' | 'json';

export type UsagePageMessage =
  /** With the period that the page kept, when it was shown before. */
  | (PageReady & { readonly choice?: PeriodChoice })
  | { readonly type: 'choosePeriod'; readonly choice: PeriodChoice }
  | { readonly type: 'openTraffic'; readonly filter: TrafficFilter }
  | { readonly type: 'openSession'; readonly sessionId: string }
  | { readonly type: 'openConversation'; readonly conversationId: string }
  | { readonly type: 'export'; readonly format: ExportFormat }
  | { readonly type: 'addCredit' }
  | { readonly type: 'retry' };

export type UsageTransport = PageTransport<UsageHostMessage, UsagePageMessage, PeriodChoice>;
