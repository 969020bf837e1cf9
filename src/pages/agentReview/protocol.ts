/** The messages between a page that reviews changes and its host. */

import type { DiffLine, RestoreView } from '../chat/protocol.ts';

export type ReviewDecision = 'accepted' | 'discarded';

/** What a change is identified by, until its lines change. */
export interface ChangeName {
  /** The address of the file. */
  readonly file: string;
  readonly id: string;
}

export interface ReviewState {
  readonly files: readonly ReviewedFile[];
  /**
   * When the run began that has made the changes, in milliseconds since the epoch. Undefined for changes that an answer
   * proposes: those are written when they are accepted.
   */
  readonly startedAt?: number;
  /** What the run, or the answers that propose changes, have cost in US dollars. Undefined if no price is known. */
  readonly cost?: number;
  /** Whether the cost is the sandbox's sample money. */
  readonly isSample?: true;
  /** What the user is asked to restore. */
  readonly restore?: RestoreView;
}

/** What happened to a file. Only edited files are reviewed change by change. */
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
  /** Whether the user has edited the file since the changes were made or proposed. */
  readonly isEdited: boolean;
  /** Whether there is a file to open. */
  readonly exists: boolean;
  /** The lines that are neither accepted nor discarded. */
  readonly added: number;
  readonly removed: number;
  /** The names of functions, types, and sections that the open changes of a proposal remove. */
  readonly removes?: readonly string[];
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
  /** Whether the user has edited these lines, so that the change can only be reverted, or made, manually. */
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
