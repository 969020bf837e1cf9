import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { errorText } from '../../../display/errors.ts';
import { baseName } from '../../files/paths.ts';
import type { UndoOffers } from '../undo.ts';
import type { ChangeReview, Decision } from './changeReview.ts';
import { REVIEW_SCHEME, ReviewDocuments } from './reviewDocuments.ts';
import { type Proposal, ReviewEditor } from './reviewEditor.ts';
import type { Suggestion } from './suggestion.ts';
import { revertChanges, type WrittenChanges, writeChanges } from './writeChanges.ts';

/** The open comparisons, one per file, and the actions of their buttons. */
export class ReviewEditors implements vscode.Disposable {
  readonly #documents = new ReviewDocuments();
  readonly #undo: UndoOffers;
  readonly #compareAgain: (target: vscode.Uri, suggestion: Suggestion) => Promise<void>;
  readonly #open = new Map<string, ReviewEditor>();
  /**
   * Comparisons for which a message has said that the file has changed. It is repeated when the changes would be
   * written.
   */
  readonly #noticed = new WeakSet<ReviewEditor>();
  readonly #subscriptions: vscode.Disposable[];

  /**
   * @param undo Offers in the chat to undo the written changes.
   * @param compareAgain Compares the suggestion with the current contents of the file.
   */
  constructor(undo: UndoOffers, compareAgain: (target: vscode.Uri, suggestion: Suggestion) => Promise<void>) {
    this.#undo = undo;
    this.#compareAgain = compareAgain;
    this.#subscriptions = [
      this.#documents,
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const editor = this.#open.get(document.uri.toString());
        if (editor === undefined || contentChanges.length === 0 || this.#noticed.has(editor)) return;
        this.#noticed.add(editor);
        void this.#notice(editor);
      }),
      vscode.workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) void this.#renamed(oldUri, newUri);
      }),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const editor of [...this.#open.values()])
          if (closed.some((tab) => editor.isIn(tab))) void this.#left(editor);
      }),
    ];
  }

  async open(proposal: Proposal): Promise<void> {
    const key = proposal.target.toString();
    await this.#forget(this.#open.get(key));
    const editor = new ReviewEditor(proposal, this.#documents);
    this.#open.set(key, editor);
    await editor.show();
  }

  /** Decides on the change at the cursor, and goes to the next one. */
  async decide(decision: Decision): Promise<void> {
    const editor = this.#active;
    if (editor === undefined) return;
    await editor.decideAtCursor(decision);
    if (editor.review.open.length === 0) await this.#finish(editor);
  }

  /** Decides on all open changes, and ends the comparison. */
  async decideRest(decision: Decision): Promise<void> {
    const editor = this.#active;
    if (editor === undefined) return;
    editor.review.decideRest(decision);
    await this.#finish(editor);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  get #active(): ReviewEditor | undefined {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return [...this.#open.values()].find((editor) =>
      uri?.scheme === REVIEW_SCHEME ? editor.has(uri) : tab !== undefined && editor.isIn(tab),
    );
  }

  async #finish(editor: ReviewEditor): Promise<void> {
    const { target, review } = editor;
    // From here on, changes of the file are not reported for this comparison.
    this.#open.delete(target.toString());
    if (review.accepted.length === 0) return editor.close();
    let written: WrittenChanges | undefined;
    try {
      written = await writeChanges(target, review);
    } finally {
      if (written === undefined) this.#open.set(target.toString(), editor);
    }
    if (written === undefined) return this.#notice(editor);
    await editor.close();
    void this.#offerUndo(written, review);
  }

  /** Offers to undo in a notification and in the chat. After one of them is chosen, the other does nothing. */
  async #offerUndo(written: WrittenChanges, { accepted, count }: ChangeReview): Promise<void> {
    const text = l10n.t('{0} of {1} changes applied to {2}', accepted.length, count, baseName(written.target.path));
    let isReverted = false;
    const revert = async () => {
      if (isReverted) return;
      await revertChanges(written);
      isReverted = true;
    };
    const withdraw = this.#undo.offer({ text, undo: revert });
    const undo = l10n.t('Undo');
    try {
      if ((await vscode.window.showInformationMessage(text, undo)) !== undo) return;
      await revert();
      withdraw();
    } catch (error) {
      void vscode.window.showErrorMessage(errorText(error));
    }
  }

  /** Follows the rename of a file, or of a folder with files. */
  async #renamed(from: vscode.Uri, to: vscode.Uri): Promise<void> {
    for (const editor of [...this.#open.values()]) {
      const { target } = editor;
      const isIn = target.path.startsWith(`${from.path}/`);
      if (target.toString() !== from.toString() && !isIn) continue;
      const renamed = to.with({ path: to.path + target.path.slice(from.path.length) });
      this.#open.delete(target.toString());
      this.#open.set(renamed.toString(), editor);
      await editor.rename(renamed);
    }
  }

  /** Tells the user that the file has changed since the comparison was opened. */
  async #notice(editor: ReviewEditor): Promise<void> {
    const again = l10n.t('Compare Again');
    const name = baseName(editor.target.path);
    const choice = await vscode.window.showWarningMessage(
      l10n.t('{0} has changed since it was compared.', name),
      again,
    );
    if (choice === again) await this.#compareAgain(editor.target, editor.suggestion);
  }

  /** The user has closed the comparison. Accepted changes are not dropped without a question. */
  async #left(editor: ReviewEditor): Promise<void> {
    const { review, target } = editor;
    await this.#forget(editor);
    if (review.accepted.length === 0) return;
    const write = l10n.t('Apply Accepted Changes');
    const text = l10n.t(
      '{0} of {1} changes to {2} were accepted but not yet applied.',
      review.accepted.length,
      review.count,
      baseName(target.path),
    );
    if ((await vscode.window.showWarningMessage(text, write)) !== write) return;
    const written = await writeChanges(target, review);
    if (written === undefined) await this.#compareAgain(target, editor.suggestion);
    else await this.#offerUndo(written, review);
  }

  #isOpen(editor: ReviewEditor): boolean {
    return this.#open.get(editor.target.toString()) === editor;
  }

  async #forget(editor: ReviewEditor | undefined): Promise<void> {
    if (editor === undefined) return;
    if (this.#isOpen(editor)) this.#open.delete(editor.target.toString());
    await editor.close();
  }
}
