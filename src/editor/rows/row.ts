import * as vscode from 'vscode';
import type { TrafficTarget } from '../../rules/trafficChoice.ts';

/** A row of a tree, with everything that the editor shows for it. */
export interface Row {
  /** Stable while the row represents the same thing, so that it stays expanded and selected. */
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly tooltip?: string | vscode.MarkdownString;
  readonly icon?: vscode.ThemeIcon;
  /** The row's `viewItem` in the manifest's menus. */
  readonly kind?: string;
  /** The text for screen readers instead of label and description, if these contain more than words. */
  readonly spoken?: string;
  readonly command?: vscode.Command;
  /** A row with children can be collapsed. It is expanded at first unless `isClosed` is set. */
  readonly children?: readonly Row[];
  readonly isClosed?: boolean;
  /** The object of commands on the row, such as the ID of a local key. */
  readonly subject?: string;
  /** The exchanges that the Traffic tab shows for the row. */
  readonly traffic?: TrafficTarget;
}

/**
 * The subject of the row that a command was called on; `undefined` if it was called from elsewhere, such as the
 * palette.
 */
export function subjectOf(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null || !('subject' in argument)) return undefined;
  return typeof argument.subject === 'string' ? argument.subject : undefined;
}

/** The traffic target of the row that a command was called on. */
export function trafficOf(argument: unknown): unknown {
  return typeof argument === 'object' && argument !== null && 'traffic' in argument ? argument.traffic : undefined;
}

/** The icon of a row that needs attention. */
export function warningIcon(name = 'warning'): vscode.ThemeIcon {
  return new vscode.ThemeIcon(name, new vscode.ThemeColor('list.warningForeground'));
}
