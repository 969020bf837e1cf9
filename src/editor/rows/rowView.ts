import * as vscode from 'vscode';
import type { Row } from './row.ts';
import { RowTree } from './rowTree.ts';

/** A side bar view that shows rows. It requests them only while it is visible. */
export class RowView implements vscode.Disposable {
  readonly #rows: () => Promise<readonly Row[]>;
  readonly #tree: RowTree;
  readonly #view: vscode.TreeView<Row>;

  readonly onDidChangeVisibility: vscode.Event<unknown>;

  /** @param id The view's ID in the manifest. */
  constructor(id: string, rows: () => Promise<readonly Row[]>, options: { readonly showCollapseAll?: boolean } = {}) {
    this.#rows = rows;
    this.#tree = new RowTree(rows);
    this.#view = vscode.window.createTreeView(id, { treeDataProvider: this.#tree, ...options });
    this.onDidChangeVisibility = this.#view.onDidChangeVisibility;
  }

  get isVisible(): boolean {
    return this.#view.visible;
  }

  /** Sets the text above the rows and the one beside the title; empty for none. */
  describe(message: string, description: string): void {
    this.#view.message = message;
    this.#view.description = description;
  }

  refresh(): void {
    if (this.isVisible) this.#tree.refresh();
  }

  /** The rows that the editor would get now. */
  rows(): Promise<readonly Row[]> {
    return this.#rows();
  }

  dispose(): void {
    this.#view.dispose();
    this.#tree.dispose();
  }
}
