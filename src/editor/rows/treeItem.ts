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
