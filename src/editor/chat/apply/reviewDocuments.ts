import * as vscode from 'vscode';
import type { Side } from './changeReview.ts';

export const REVIEW_SCHEME = 'model-access-review';

/** How long an editor may take to show a new text. In milliseconds. */
const TIMEOUT_MS = 1000;

type Uris = Readonly<Record<Side, vscode.Uri>>;

/** The texts that comparisons show. They have the file's path, so that the editor colours them as such a file. */
export class ReviewDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, () => string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  /** The editor looks for the event when it is told of this, so it comes after. */
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(REVIEW_SCHEME, this);
  #count = 0;

  /** @param text gives the text of a side as it is at that moment. */
  add(file: vscode.Uri, text: (side: Side) => string): Uris {
    this.#count += 1;
    const uriOf = (side: Side) => {
      const uri = file.with({ scheme: REVIEW_SCHEME, authority: '', query: `${side}=${this.#count}` });
      this.#texts.set(uri.toString(), () => text(side));
      return uri;
    };
    return { before: uriOf('before'), after: uriOf('after') };
  }

  remove({ before, after }: Uris): void {
    for (const uri of [before, after]) this.#texts.delete(uri.toString());
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString())?.() ?? '';
  }

  /** Resolves once the editors show the texts as they are now. */
  async refresh({ before, after }: Uris): Promise<void> {
    await Promise.all([before, after].map((uri) => this.#refreshOne(uri)));
  }

  async #refreshOne(uri: vscode.Uri): Promise<void> {
    const text = this.provideTextDocumentContent(uri);
    const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
    if (document === undefined || isSame(document.getText(), text)) return;
    const shown = new Promise<void>((resolve) => {
      const timer = setTimeout(done, TIMEOUT_MS);
      const subscription = vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === document && isSame(document.getText(), text)) done();
      });
      function done() {
        clearTimeout(timer);
        subscription.dispose();
        resolve();
      }
    });
    this.#changed.fire(uri);
    await shown;
  }

  dispose(): void {
    vscode.Disposable.from(this.#registration, this.#changed).dispose();
  }
}

/** The editor gives all lines of a text the same break. */
function isSame(a: string, b: string): boolean {
  return a.replaceAll('\r\n', '\n') === b.replaceAll('\r\n', '\n');
}
