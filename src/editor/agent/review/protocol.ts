/** The messages between the page that reviews the changes of a run and its host. */
import type { DiffLine } from '../../chat/protocol.ts';
import type { PageReady, PageTransport } from '../../webviews/protocol.ts';

export type ReviewDecision = 'accepted' | 'discarded';

/** What a change is identified by, until its lines change. */
export interface ChangeName {
  /** The address of the file. */
  readonly file: string;
  readonly id: string;
}

export interface ReviewState {
  readonly files: readonly ReviewedFile[];
  /** When the run began, in milliseconds since the epoch. */
  readonly startedAt: number;
}

/** What the run did with a file. A renamed file was deleted and created. Only edited files are reviewed change by change. */
export type FileChange = 'edited' | 'created' | 'deleted' | 'binary';

export interface ReviewedFile {
  /** Its address. */
  readonly file: string;
  readonly name: string;
  /** The path of its folder in the workspace; empty for the workspace's own. */
  readonly folder: string;
  readonly change: FileChange;
  /** Whether there is a file to open. */
  readonly exists: boolean;
  /** The lines that are neither accepted nor discarded. */
  readonly added: number;
  readonly removed: number;
  readonly blocks: readonly ReviewBlock[];
}

/** A part of a file, from the top down. */
export type ReviewBlock = SameLines | OpenChange | DecidedChange | { readonly type: 'gap'; readonly lines: number };

/** Unchanged lines around a change. */
interface SameLines {
  readonly type: 'same';
  readonly lines: readonly DiffLine[];
}

export interface OpenChange {
  readonly type: 'change';
  readonly id: string;
  /** Empty if the whole file was created or deleted, or is not text. */
  readonly lines: readonly DiffLine[];
  /** The number of further lines, which are not shown. */
  readonly hidden: number;
}

export interface DecidedChange {
  readonly type: 'decided';
  readonly id: string;
  readonly decision: ReviewDecision;
  /** The first and last line that it has, or had, in the file, counted from 1. Undefined for a whole file. */
  readonly lines?: readonly [first: number, last: number];
  readonly added: number;
  readonly removed: number;
}

export type ReviewHostMessage = { readonly type: 'state'; readonly state: ReviewState };

export type ReviewPageMessage =
  | PageReady
  | { readonly type: 'decide'; readonly decision: ReviewDecision; readonly changes: readonly ChangeName[] }
  | ({ readonly type: 'undo' } & ChangeName)
  /** `line` is counted from 1. */
  | { readonly type: 'openFile'; readonly file: string; readonly line: number }
  /** Asks what to restore to the state before the run. */
  | { readonly type: 'restore' };

export type ReviewTransport = PageTransport<ReviewHostMessage, ReviewPageMessage>;
