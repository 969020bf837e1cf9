import * as vscode from 'vscode';
import type { Row } from './row.ts';

/** The rows of a view, created each time the editor requests them. */
export class RowTree implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  readonly #rows: () => Promise<readonly Row[]>;
  readonly #changed = new vscode.EventEmitter<void>();

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(rows: () => Promise<readonly Row[]>) {
    this.#rows = rows;
  }

  refresh(): void {
    this.#changed.fire();
  }

  async getChildren(row?: Row): Promise<Row[]> {
    return [...(row === undefined ? await this.#rows() : (row.children ?? []))];
  }

  getTreeItem(row: Row): vscode.TreeItem {
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

  dispose(): void {
    this.#changed.dispose();
  }
}

function foldingOf({ children, isClosed }: Row): vscode.TreeItemCollapsibleState {
  if (children === undefined) return vscode.TreeItemCollapsibleState.None;
  return isClosed ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.Expanded;
}
