/** The saved conversations as the panel lists them. */
import type { SpentMoney } from '../conversation/spentMoney.ts';

/** Which of the saved conversations are listed, beside what is searched. Without any member all are. */
export interface HistoryFilter {
  readonly pinned?: true;
  /** Those that were begun in the workspace of this window. */
  readonly workspace?: true;
  /** Of the last answer. */
  readonly model?: string;
}

export interface HistoryRow extends SpentMoney {
  readonly id: string;
  readonly title: string;
  /** Of the last answer; absent when there was none. */
  readonly model?: string;
  /** Questions and answers on the path that shows. */
  readonly messages: number;
  /** Milliseconds since the epoch: the last question or answer. */
  readonly changedAt: number;
  readonly pinned: boolean;
  /** Where the search found it in the text: what stands before, the words, and what stands after. */
  readonly excerpt?: readonly [string, string, string];
}

/** The sum is over the group, also of rows that were not sent. */
export interface HistoryGroup extends SpentMoney {
  /** Such as `Pinned` or `Yesterday`. */
  readonly title: string;
  readonly rows: readonly HistoryRow[];
}

/** The saved conversations that match query and filter, the latest first, as many as were asked for. */
export interface HistoryView extends SpentMoney {
  readonly state: 'loading' | 'known' | 'failed';
  readonly query: string;
  readonly filter: HistoryFilter;
  /** What can be filtered by: the models of all saved conversations, and whether this window has a workspace. */
  readonly models: readonly string[];
  readonly hasWorkspace: boolean;
  readonly groups: readonly HistoryGroup[];
  /** How many match, which cost together what the sum says. */
  readonly count: number;
}
