import * as vscode from 'vscode';

const SCHEME = 'model-access';

/** Shows values as JSON in read-only editors, so that closing them needs no confirmation. */
export class JsonDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #subscriptions: vscode.Disposable[];
  #last = 0;

  constructor() {
    this.#subscriptions = [
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === SCHEME) this.#texts.delete(uri.query);
      }),
    ];
  }

  /** @param name The title of the tab, without an extension. */
  async show(name: string, value: unknown): Promise<void> {
    this.#last += 1;
    const query = String(this.#last);
    this.#texts.set(query, `${JSON.stringify(value, null, 2)}\n`);
    const path = `/${name.replaceAll('/', '-')}.json`;
    const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: SCHEME, path, query }));
    await vscode.window.showTextDocument(document, { preview: true });
  }

  provideTextDocumentContent({ query }: vscode.Uri): string | undefined {
    return this.#texts.get(query);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }
}
