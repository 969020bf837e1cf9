import * as vscode from 'vscode';

/** Reports changes of files, on disk and in the editor. */
export class KeptFilesWatch implements vscode.Disposable {
  readonly #onChange: () => void;
  readonly #edits: vscode.Disposable;
  readonly #folders = new Map<string, vscode.Disposable>();
  #files: ReadonlySet<string> = new Set();

  constructor(onChange: () => void) {
    this.#onChange = onChange;
    this.#edits = vscode.workspace.onDidChangeTextDocument(({ document }) => this.#report(document.uri));
  }

  /** Watches these files from now on. */
  watch(uris: readonly vscode.Uri[]): void {
    this.#files = new Set(uris.map(String));
    for (const uri of uris) {
      const folder = vscode.Uri.joinPath(uri, '..');
      if (!this.#folders.has(folder.toString())) this.#folders.set(folder.toString(), this.#watchFolder(folder));
    }
  }

  dispose(): void {
    vscode.Disposable.from(this.#edits, ...this.#folders.values()).dispose();
  }

  #watchFolder(folder: vscode.Uri): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*'));
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) {
      event((uri) => this.#report(uri));
    }
    return watcher;
  }

  #report(uri: vscode.Uri): void {
    if (this.#files.has(uri.toString())) this.#onChange();
  }
}
