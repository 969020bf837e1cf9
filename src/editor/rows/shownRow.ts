/** What the editor has of a row, and how it follows a newer one. */
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { Row } from './row.ts';

/** Returns what the editor shows for a row. */
export function treeItemOf(row: Row): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, foldingOf(row));
  item.id = row.id;
  if (row.description !== undefined) item.description = row.description;
  if (row.tooltip !== undefined) item.tooltip = row.tooltip;
  if (row.icon !== undefined) item.iconPath = row.icon;
  if (row.kind !== undefined) item.contextValue = row.kind;
  if (row.command !== undefined) item.command = row.command;
  if (row.spoken !== undefined) item.accessibilityInformation = { label: row.spoken };
  return item;
}

function foldingOf({ children, isClosed }: Row): vscode.TreeItemCollapsibleState {
  if (children === undefined) return vscode.TreeItemCollapsibleState.None;
  return isClosed ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.Expanded;
}

/** A row as the editor has it. It stays the same object while its contents change. */
type ShownRow = { -readonly [Name in keyof Row]: Row[Name] };

/**
 * Updates rows that the editor has with the contents of new ones.
 * @returns the rows that the editor must read again, or undefined if rows were added, removed, or moved at the top.
 */
export function updateRows(shown: readonly Row[], rows: readonly Row[]): Row[] | undefined {
  if (!haveSameIds(shown, rows)) return undefined;
  return shown.flatMap((row, index) => updateRow(row, rows[index] ?? row));
}

/** If a row is read again, its children are as well. */
function updateRow(shown: ShownRow, row: Row): Row[] {
  const below = updateRows(shown.children ?? [], row.children ?? []);
  const children = below === undefined ? row.children : shown.children;
  const isSame = below !== undefined && isDeepStrictEqual(withoutChildren(shown), withoutChildren(row));
  if (isSame) return below;
  for (const name of Object.keys(shown) as (keyof Row)[]) delete (shown as Partial<ShownRow>)[name];
  Object.assign(shown, row, children !== undefined && { children });
  return [shown];
}

/** Whether a row has children at all decides how it is drawn, even if there are none. */
function withoutChildren({ children, ...row }: Row): object {
  return { ...row, canHaveChildren: children !== undefined };
}

function haveSameIds(shown: readonly Row[], rows: readonly Row[]): boolean {
  return shown.length === rows.length && shown.every(({ id }, index) => id === rows[index]?.id);
}
