import * as vscode from 'vscode';

const SCHEME = 'model-access-earlier';
const MAX_KEPT = 20;

/** The texts of files before a command changed them, for the editor's comparison. */
export class EarlierTexts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration: vscode.Disposable;
  #count = 0;

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  /** @returns an address under which the editor finds the text; it has the file's name. */
  keep({ path }: vscode.Uri, text: string): vscode.Uri {
    this.#count += 1;
    const uri = vscode.Uri.from({ scheme: SCHEME, path, query: String(this.#count) });
    this.#texts.set(uri.toString(), text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > MAX_KEPT && oldest !== undefined) this.#texts.delete(oldest);
    return uri;
  }

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.#texts.get(uri.toString());
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
