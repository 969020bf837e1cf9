/** The messages between the page that reviews the changes of a run and its host. */

import type { PageReady, PageTransport } from '../../webviews/protocol.ts';
import type { DiffLine, RestoreChoice, RestoreView } from '../protocol.ts';

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
  /** What the user is asked to restore. */
  readonly restore?: RestoreView;
}

/** What the run did with a file. Only edited files are reviewed change by change. */
export type FileChange = 'edited' | 'created' | 'deleted' | 'renamed' | 'binary';

export interface ReviewedFile {
  /** The file's URI. */
  readonly file: string;
  readonly name: string;
  /** The path of its folder in the workspace; empty for the workspace's own. */
  readonly folder: string;
  readonly change: FileChange;
  /** The earlier path of a renamed file. */
  readonly renamedFrom?: string;
  /** Whether the user has edited the run's version. */
  readonly isEdited: boolean;
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
  /** Empty if the file is not text, is empty, or was only renamed. */
  readonly lines: readonly DiffLine[];
  /** The number of further lines, which are not shown. */
  readonly hidden: number;
  /** Whether the user has edited these lines, so that the change can only be reverted manually. */
  readonly isEdited?: true;
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
  /** Asks for all lines of a change. */
  | ({ readonly type: 'showAll' } & ChangeName)
  /** Compares the file with its text before the change, so that the user can take the change back. */
  | ({ readonly type: 'placeByHand' } & ChangeName)
  /** `line` is counted from 1. */
  | { readonly type: 'openFile'; readonly file: string; readonly line: number }
  /** Asks for what restoring to the state before the run changes. */
  | { readonly type: 'restore' }
  | ({ readonly type: 'confirmRestore' } & RestoreChoice)
  | { readonly type: 'cancelRestore' };

export type ReviewTransport = PageTransport<ReviewHostMessage, ReviewPageMessage>;
