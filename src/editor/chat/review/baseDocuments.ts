import * as vscode from 'vscode';

const SCHEME = 'model-access-run-base';

/** The texts of files before the changes of a run. They have the paths of the files, for the same syntax colors. */
export class BaseDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  readonly onDidChange = this.#changed.event;

  /** Returns the address under which an editor finds the text. */
  add(file: vscode.Uri, text: string): vscode.Uri {
    const uri = file.with({ scheme: SCHEME, authority: '' });
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
    return uri;
  }

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.#texts.get(uri.toString());
  }

  dispose(): void {
    vscode.Disposable.from(this.#registration, this.#changed).dispose();
  }
}
