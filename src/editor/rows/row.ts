import type * as vscode from 'vscode';
import type { TrafficTarget } from '../traffic/protocol.ts';

/** A line of a tree, with all that the editor shows of it. */
export interface Row {
  /** The same as long as the row stands for the same thing, so that it stays open and selected. */
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly tooltip?: string | vscode.MarkdownString;
  readonly icon?: vscode.ThemeIcon;
  /** What the manifest's menus know the row by: its `viewItem`. */
  readonly kind?: string;
  /** What a screen reader says in the place of label and description, where these hold more than words. */
  readonly spoken?: string;
  readonly command?: vscode.Command;
  /** A row with children can be folded; it is open at first unless `isClosed`. */
  readonly children?: readonly Row[];
  readonly isClosed?: boolean;
  /** What commands on the row are about, such as the id of a local key. */
  readonly subject?: string;
  /** What the traffic tab has of it. */
  readonly traffic?: TrafficTarget;
}

/** The subject of the row that a command was called on; `undefined` when it came from elsewhere, such as the palette. */
export function subjectOf(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null || !('subject' in argument)) return undefined;
  return typeof argument.subject === 'string' ? argument.subject : undefined;
}

/** What the traffic tab has of the row that a command was called on. */
export function trafficOf(argument: unknown): unknown {
  return typeof argument === 'object' && argument !== null && 'traffic' in argument ? argument.traffic : undefined;
}
