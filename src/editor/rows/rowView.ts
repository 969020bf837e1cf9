import * as vscode from 'vscode';
import type { Row } from './row.ts';

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

/**
 * The rows of a view, created each time the editor requests them, and at each refresh.
 *
 * A refresh reports only the rows that have changed. If all are reported, the editor forgets them immediately, and until
 * it has requested them again, a button on a row runs its command without the row.
 */
export class RowTree implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  readonly #rows: () => Promise<readonly Row[]>;
  readonly #changed = new vscode.EventEmitter<Row[] | undefined>();
  /** The rows that the editor has. */
  #shown: readonly Row[] = [];
  /** Rows that were created for a refresh and that the editor is about to request. */
  #ready: readonly Row[] | undefined;
  /** Rows are created one after another, so that the last ones are the newest. */
  #creating: Promise<unknown> = Promise.resolve();

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(rows: () => Promise<readonly Row[]>) {
    this.#rows = rows;
  }

  refresh(): void {
    // If the rows cannot be created, the editor requests them and reports the failure.
    this.#update().catch(() => {
      this.#ready = undefined;
      this.#changed.fire(undefined);
    });
  }

  async getChildren(row?: Row): Promise<Row[]> {
    if (row !== undefined) return [...(row.children ?? [])];
    const rows = this.#ready ?? (await this.#create());
    this.#ready = undefined;
    this.#shown = rows;
    return [...rows];
  }

  async getTreeItem(row: Row): Promise<vscode.TreeItem> {
    const { treeItemOf } = await import('./shownRow.ts');
    return treeItemOf(row);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #create(): Promise<readonly Row[]> {
    const rows = this.#creating.then(() => this.#rows());
    this.#creating = rows.catch(() => undefined);
    return rows;
  }

  async #update(): Promise<void> {
    const [rows, { updateRows }] = await Promise.all([this.#create(), import('./shownRow.ts')]);
    // Whether the editor shows the welcome content of an empty view is decided each time it has requested the rows.
    const isReadAgain = this.#ready !== undefined || rows.length === 0;
    const changed = isReadAgain ? undefined : updateRows(this.#shown, rows);
    if (changed === undefined) this.#ready = rows;
    if (changed?.length !== 0) this.#changed.fire(changed);
  }
}
