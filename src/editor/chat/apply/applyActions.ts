import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { openNewFile } from '../../documents/newFile.ts';
import { baseName } from '../../files/paths.ts';
import type { WorkspaceFileFinder } from '../../files/workspaceFile.ts';
import type { ChatSession } from '../chatSession.ts';
import { attachmentsOf } from '../conversation/entry.ts';
import type { Patched } from './patch.ts';
import { askForPlace } from './place.ts';
import { warnOfRejected } from './rejectedHunks.ts';
import { ReviewEditors } from './reviewEditors.ts';
import { newText, type Suggestion, suggestedText } from './suggestion.ts';
import { findTarget } from './target.ts';
import { type FileDiff, parseDiff } from './unifiedDiff.ts';

/** Whole lines of a file. */
export interface FilePart {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  readonly text: string;
}

/** Applies code of an answer to the file that it belongs to, after the user has reviewed each change. */
export class ApplyActions implements vscode.Disposable {
  readonly reviews: ReviewEditors;
  readonly #session: ChatSession;
  readonly #finder: WorkspaceFileFinder;

  constructor(session: ChatSession, finder: WorkspaceFileFinder) {
    this.#session = session;
    this.#finder = finder;
    this.reviews = new ReviewEditors(session.undo, (uri, suggestion) => this.#review(uri, suggestion));
  }

  /**
   * @param paths Paths that the answer names for the file, the most likely first.
   * @param language The language as the answer names it; a diff is applied to each of its files.
   */
  async apply(code: string, paths: readonly string[], language = ''): Promise<void> {
    const diffs = parseDiff(code, language === 'diff' || language === 'patch');
    if (diffs === undefined) return this.#apply({ kind: 'code', code }, paths);
    for (const diff of diffs) await this.#applyDiff(diff, paths);
  }

  /**
   * Proposes new code for a part of a file.
   * @param text The part's text when the code was requested. If it has changed since, the code is located again.
   */
  async propose({ uri, range, text }: FilePart, code: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    const suggestion = { kind: 'code', code } as const;
    if (document.getText(range) !== text) return this.#review(uri, suggestion);
    const original = document.getText();
    const proposed = document.eol === vscode.EndOfLine.CRLF ? code.replaceAll('\n', '\r\n') : code;
    const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
    const whole = original.slice(0, start) + proposed + original.slice(end);
    await this.#compare(uri, suggestion, original, { text: whole, rejectedHunks: [] });
  }

  dispose(): void {
    this.reviews.dispose();
  }

  async #applyDiff(diff: FileDiff, paths: readonly string[]): Promise<void> {
    if (diff.kind === 'deleted') {
      void vscode.window.showInformationMessage(
        l10n.t('The diff deletes {0}. Delete it yourself to apply this change.', diff.path ?? l10n.t('a file')),
      );
      return;
    }
    await this.#apply({ kind: 'diff', diff }, diff.path === undefined ? paths : [diff.path, ...paths]);
  }

  async #apply(suggestion: Suggestion, paths: readonly string[]): Promise<void> {
    const entries = this.#session.conversation.value.entries;
    const attached = attachmentsOf(entries).map(({ path }) => path);
    const target = await findTarget({ suggestion, paths, attached: attached.reverse() }, this.#finder);
    if (target?.kind === 'new') await openNewFile(target.uri, newText(suggestion));
    else if (target !== undefined) await this.#review(target.uri, suggestion);
  }

  async #review(uri: vscode.Uri, suggestion: Suggestion): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    const original = document.getText();
    const patched = suggestedText(original, suggestion) ?? (await this.#placed(document, suggestion));
    if (patched === undefined) return;
    await this.#compare(uri, suggestion, original, patched);
  }

  async #compare(uri: vscode.Uri, suggestion: Suggestion, original: string, patched: Patched): Promise<void> {
    if (patched.rejectedHunks.length > 0) warnOfRejected(uri, suggestion, patched.rejectedHunks);
    if (patched.text === original && patched.rejectedHunks.length === 0) {
      void vscode.window.showInformationMessage(l10n.t('{0} already contains this code.', baseName(uri.path)));
    }
    if (patched.text !== original) {
      await this.reviews.open({ target: uri, suggestion, original, proposed: patched.text });
    }
  }

  /** Handles code that was not found in the file: the user chooses where code goes; a diff is rejected. */
  async #placed(document: vscode.TextDocument, suggestion: Suggestion): Promise<Patched | undefined> {
    if (suggestion.kind === 'diff') return { text: document.getText(), rejectedHunks: suggestion.diff.hunks };
    const text = await askForPlace(document, suggestion.code);
    return text === undefined ? undefined : { text, rejectedHunks: [] };
  }
}
