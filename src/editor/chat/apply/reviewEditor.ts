import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { baseName } from '../../files/paths.ts';
import { ChangeReview, type Decision, type Side } from './changeReview.ts';
import type { Hunk } from './hunks.ts';
import type { ReviewDocuments, ReviewUris } from './reviewDocuments.ts';
import type { Suggestion } from './suggestion.ts';

export interface Proposal {
  readonly target: vscode.Uri;
  /** The suggestion as the answer contains it. */
  readonly suggestion: Suggestion;
  readonly original: string;
  readonly proposed: string;
}

/** A comparison of a file with its proposal, in its own editor. */
export class ReviewEditor {
  readonly suggestion: Suggestion;
  readonly review: ChangeReview;
  readonly #documents: ReviewDocuments;
  #target: vscode.Uri;
  #uris: ReviewUris;

  constructor({ target, suggestion, original, proposed }: Proposal, documents: ReviewDocuments) {
    this.#target = target;
    this.suggestion = suggestion;
    this.review = new ChangeReview(original, proposed);
    this.#documents = documents;
    this.#uris = documents.add(target, this.review);
  }

  get target(): vscode.Uri {
    return this.#target;
  }

  async show(): Promise<void> {
    const { before, after } = this.#uris;
    const title = l10n.t('{0}: proposed changes', baseName(this.#target.path));
    await vscode.commands.executeCommand('vscode.diff', before, after, title, { preview: false });
    const [first] = this.review.open;
    if (first !== undefined) this.#goTo(first);
  }

  /** Continues with the file under its new name, and keeps the decisions. */
  async rename(target: vscode.Uri): Promise<void> {
    const shown = this.#tabs;
    const earlier = this.#uris;
    this.#target = target;
    this.#uris = this.#documents.add(target, this.review);
    await vscode.window.tabGroups.close(shown);
    this.#documents.remove(earlier);
    await this.show();
  }

  has(uri: vscode.Uri): boolean {
    return this.#sideOf(uri) !== undefined;
  }

  isIn({ input }: vscode.Tab): boolean {
    return input instanceof vscode.TabInputTextDiff && this.#sideOf(input.modified) === 'after';
  }

  async decideAtCursor(decision: Decision): Promise<void> {
    const hunk = this.#atCursor;
    if (hunk === undefined) return;
    this.review.decide(hunk, decision);
    const [next] = this.review.open.filter(({ start }) => start > hunk.start).concat(this.review.open);
    if (next === undefined) return;
    await this.#documents.refresh(this.#uris);
    this.#goTo(next);
  }

  async close(): Promise<void> {
    const tabs = this.#tabs;
    if (tabs.length > 0) await vscode.window.tabGroups.close(tabs);
    this.#documents.remove(this.#uris);
  }

  get #tabs(): vscode.Tab[] {
    return vscode.window.tabGroups.all.flatMap((group) => group.tabs.filter((tab) => this.isIn(tab)));
  }

  get #atCursor(): Hunk | undefined {
    const editor = vscode.window.activeTextEditor;
    const side = editor && this.#sideOf(editor.document.uri);
    if (editor === undefined || side === undefined) return this.review.open[0];
    return this.review.openAt(side, editor.selection.active.line);
  }

  #sideOf(uri: vscode.Uri): Side | undefined {
    const written = uri.toString();
    if (written === this.#uris.after.toString()) return 'after';
    return written === this.#uris.before.toString() ? 'before' : undefined;
  }

  #goTo(hunk: Hunk): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const side = this.#sideOf(editor.document.uri);
      if (side === undefined) continue;
      const start = new vscode.Position(this.review.startOn(side, hunk), 0);
      editor.selection = new vscode.Selection(start, start);
      editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }
}
