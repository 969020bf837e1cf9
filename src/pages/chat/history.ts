/** The saved conversations as the panel lists them. */
import type { SpentMoney } from './spentMoney.ts';

/** Filters for the saved conversations, in addition to the search. Without any member, all are listed. */
export interface HistoryFilter {
  readonly pinned?: true;
  /** Only conversations that were started in this window's workspace. */
  readonly workspace?: true;
  /** The model of the last answer. */
  readonly model?: string;
}

export interface HistoryRow extends SpentMoney {
  readonly id: string;
  readonly title: string;
  /** The model of the last answer. Undefined if there is none. */
  readonly model?: string;
  /** The number of questions and answers on the path shown. */
  readonly messages: number;
  /** The time of the last question or answer, in milliseconds since the epoch. */
  readonly changedAt: number;
  readonly pinned: boolean;
  /** Whether it began as a copy of another conversation. */
  readonly isFork?: true;
  /** The first match of the search: the text before it, the match, and the text after it. */
  readonly excerpt?: readonly [string, string, string];
}

/** The sum covers the whole group, including rows that were not sent. */
export interface HistoryGroup extends SpentMoney {
  /** A title such as `Pinned` or `Yesterday`. */
  readonly title: string;
  readonly rows: readonly HistoryRow[];
}

/** The saved conversations that match query and filter, the latest first, up to the requested number. */
export interface HistoryView extends SpentMoney {
  readonly state: 'loading' | 'known' | 'failed';
  readonly query: string;
  readonly filter: HistoryFilter;
  /** The values to filter by: the models of all saved conversations, and whether this window has a workspace. */
  readonly models: readonly string[];
  readonly hasWorkspace: boolean;
  readonly groups: readonly HistoryGroup[];
  /** The number of all matching conversations, to which the sum refers. */
  readonly count: number;
}
