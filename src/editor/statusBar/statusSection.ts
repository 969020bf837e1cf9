import type * as vscode from 'vscode';

/** Names of the sections, as the setting `statusBar` has them, in the order in which they are shown. */
export const STATUS_SECTIONS = ['balance', 'gateway', 'suggestions'] as const;
export type StatusSectionName = (typeof STATUS_SECTIONS)[number];

/** What the status bar item says of one feature. */
export interface StatusPart {
  /** May contain icons. */
  readonly text: string;
  /** For screen readers. */
  readonly label: string;
  /** A part with a level is shown even if the user has switched its section off. */
  readonly level?: 'warning' | 'error' | undefined;
  /** Runs when the item is clicked. Those of parts with a level come first. */
  readonly command?: string;
}

/** Markdown of the item's hover, and the commands that its links run. */
export interface StatusHover {
  readonly markdown: string;
  readonly commands: readonly string[];
}

/** A feature that the status bar item shows. */
export interface StatusSection {
  readonly name: StatusSectionName;
  readonly onDidChange: vscode.Event<unknown>;
  /** Undefined if there is nothing to say. */
  part(): StatusPart | undefined;
  hover(): StatusHover | Promise<StatusHover>;
}

/** A title, lines below it, and a line of links. */
export function hoverText(title: string, lines: readonly string[], links: string): string {
  return [title, lines.join('  \n'), links].filter((part) => part !== '').join('\n\n');
}

/** A line of links that run commands. */
export function commandLinks(...entries: readonly (readonly [label: string, command: string])[]): string {
  return entries.map(([label, command]) => `[${label}](command:${command})`).join(' &nbsp;&nbsp; ');
}
