import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ChangeReview, Side } from './changeReview.ts';

export const REVIEW_SCHEME = 'model-access-review';

/** How long an editor may take to show a new text, in milliseconds. */
const TIMEOUT_MS = 1000;

export type ReviewUris = Readonly<Record<Side, vscode.Uri>>;

/** The maximum length of a badge in the editor, in characters. */
const MAX_BADGE_LENGTH = 2;

/**
 * The texts that comparisons show. The badge of their tab is the number of open changes, because a tab's title cannot
 * be changed. They have the file's path, so that the editor highlights their syntax as it does the file's.
 */
export class ReviewDocuments
  implements vscode.TextDocumentContentProvider, vscode.FileDecorationProvider, vscode.Disposable
{
  readonly #reviews = new Map<string, { readonly review: ChangeReview; readonly side: Side }>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #decided = new vscode.EventEmitter<vscode.Uri[]>();
  readonly onDidChangeFileDecorations = this.#decided.event;
  /** Declared after the events, because the editor subscribes to them during the registration. */
  readonly #registrations = [
    vscode.workspace.registerTextDocumentContentProvider(REVIEW_SCHEME, this),
    vscode.window.registerFileDecorationProvider(this),
  ];
  #count = 0;

  add(file: vscode.Uri, review: ChangeReview): ReviewUris {
    this.#count += 1;
    const uriOf = (side: Side) => {
      const uri = file.with({ scheme: REVIEW_SCHEME, authority: '', query: `${side}=${this.#count}` });
      this.#reviews.set(uri.toString(), { review, side });
      return uri;
    };
    return { before: uriOf('before'), after: uriOf('after') };
  }

  remove({ before, after }: ReviewUris): void {
    for (const uri of [before, after]) this.#reviews.delete(uri.toString());
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const shown = this.#reviews.get(uri.toString());
    return shown === undefined ? '' : shown.review.text(shown.side);
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const shown = this.#reviews.get(uri.toString());
    if (shown === undefined) return undefined;
    const { length } = shown.review.open;
    const text = length === 1 ? l10n.t('1 proposed change') : l10n.t('{0} proposed changes', length);
    const badge = String(length);
    return new vscode.FileDecoration(badge.length <= MAX_BADGE_LENGTH ? badge : '9+', text);
  }

  /** Resolves when the editors show the current texts. */
  async refresh({ before, after }: ReviewUris): Promise<void> {
    this.#decided.fire([before, after]);
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
    vscode.Disposable.from(...this.#registrations, this.#changed, this.#decided).dispose();
  }
}

/** Ignores line breaks, because the editor uses the same one for all lines of a text. */
function isSame(a: string, b: string): boolean {
  return a.replaceAll('\r\n', '\n') === b.replaceAll('\r\n', '\n');
}
