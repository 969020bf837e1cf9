import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Patched } from '../../../chat/apply/patch.ts';
import { replaceLines } from '../../../chat/apply/proposal.ts';
import type { Region } from '../../../chat/apply/region.ts';
import { newText, type SuggestedChange, suggestedText } from '../../../chat/apply/suggestion.ts';
import { type DiffHunk, type FileDiff, parseDiff } from '../../../chat/apply/unifiedDiff.ts';
import { moneyOf } from '../../../chat/conversation/conversation.ts';
import { attachmentsOf } from '../../../chat/conversation/entry.ts';
import { linesOf } from '../../../chat/review/lines.ts';
import { baseName } from '../../../files/paths.ts';
import type { ReviewPageMessage } from '../../../pages/agentReview/reviewMessages.ts';
import { openNewFile } from '../../documents/newFile.ts';
import type { WorkspaceFileFinder } from '../../files/workspaceFile.ts';
import type { ChatSession } from '../chatSession.ts';
import { type PaidAnswer, ProposalReview, type ProposalReviewServices } from './proposalReview.ts';
import { findTarget } from './target.ts';

/** Whole lines of a file. */
export interface FilePart {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  readonly text: string;
}

export interface ApplyServices extends Omit<ProposalReviewServices, 'undo' | 'isChatVisible'> {
  readonly finder: WorkspaceFileFinder;
}

/** Applies code of an answer to the file that it belongs to, after the user has reviewed each change. */
export class ApplyActions implements vscode.Disposable {
  readonly #session: ChatSession;
  readonly #finder: WorkspaceFileFinder;
  readonly #review: ProposalReview;

  constructor(session: ChatSession, { finder, ...services }: ApplyServices) {
    this.#session = session;
    this.#finder = finder;
    const { undo, panel } = session;
    this.#review = new ProposalReview({ ...services, undo, isChatVisible: () => panel.isVisible() });
  }

  /**
   * @param paths Paths that the answer names for the file, the most likely first.
   * @param language The language as the answer names it; a diff is applied to each of its files.
   */
  async apply(code: string, paths: readonly string[], language = ''): Promise<void> {
    const answer = this.#answerWith(code);
    const diffs = parseDiff(code, language === 'diff' || language === 'patch');
    if (diffs === undefined) return this.#apply({ kind: 'code', code }, paths, answer);
    for (const diff of diffs) await this.#applyDiff(diff, paths, answer);
  }

  /**
   * Proposes new code for a part of a file.
   * @param text The part's text when the code was requested. If it has changed since, the code is located again.
   */
  async propose({ uri, range, text }: FilePart, code: string, answer: PaidAnswer): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    const suggestion = { kind: 'code', code } as const;
    if (document.getText(range) !== text) return this.#suggest(uri, suggestion, answer);
    const original = document.getText();
    const proposed = document.eol === vscode.EndOfLine.CRLF ? code.replaceAll('\n', '\r\n') : code;
    const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
    const whole = original.slice(0, start) + proposed + original.slice(end);
    await this.#compare(document, suggestion, { text: whole, rejectedHunks: [] }, answer);
  }

  receiveReview(message: ReviewPageMessage): Promise<void> {
    return this.#review.receive(message);
  }

  dispose(): void {
    this.#review.dispose();
  }

  /** The answer of the chat that contains this code. Lists indent code, so that spaces may differ. */
  #answerWith(code: string): PaidAnswer | undefined {
    const wanted = withoutSpaces(code);
    const answer = this.#session.conversation.value.all.findLast(
      ({ role, text }) => role === 'assistant' && withoutSpaces(text).includes(wanted),
    );
    return answer && { id: answer.id, ...moneyOf(answer) };
  }

  async #applyDiff(diff: FileDiff, paths: readonly string[], answer: PaidAnswer | undefined): Promise<void> {
    if (diff.kind === 'deleted') {
      void vscode.window.showInformationMessage(
        l10n.t('The diff deletes {0}. Delete it yourself to apply this change.', diff.path ?? l10n.t('a file')),
      );
      return;
    }
    await this.#apply({ kind: 'diff', diff }, diff.path === undefined ? paths : [diff.path, ...paths], answer);
  }

  async #apply(suggestion: SuggestedChange, paths: readonly string[], answer: PaidAnswer | undefined): Promise<void> {
    const entries = this.#session.conversation.value.entries;
    const attached = attachmentsOf(entries).map(({ path }) => path);
    const target = await findTarget({ suggestion, paths, attached: attached.reverse() }, this.#finder);
    if (target?.kind === 'new') await openNewFile(target.uri, newText(suggestion));
    else if (target !== undefined) await this.#suggest(target.uri, suggestion, answer);
  }

  async #suggest(uri: vscode.Uri, suggestion: SuggestedChange, answer: PaidAnswer | undefined): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    const patched = suggestedText(document.getText(), suggestion) ?? (await this.#placed(document, suggestion));
    if (patched === undefined) return;
    await this.#compare(document, suggestion, patched, answer);
  }

  async #compare(
    document: vscode.TextDocument,
    suggestion: SuggestedChange,
    patched: Patched,
    answer: PaidAnswer | undefined,
  ): Promise<void> {
    const { uri } = document;
    const base = document.getText();
    if (patched.rejectedHunks.length > 0) warnOfRejected(uri, suggestion, patched.rejectedHunks);
    if (patched.text === base && patched.rejectedHunks.length === 0) {
      void vscode.window.showInformationMessage(l10n.t('{0} already contains this code.', baseName(uri.path)));
    }
    if (patched.text === base) return;
    await this.#review.open([{ document, base, current: patched.text }], answer === undefined ? [] : [answer]);
  }

  /** Handles code that was not found in the file: the user chooses where code goes; a diff is rejected. */
  async #placed(document: vscode.TextDocument, suggestion: SuggestedChange): Promise<Patched | undefined> {
    if (suggestion.kind === 'diff') return { text: document.getText(), rejectedHunks: suggestion.diff.hunks };
    const text = await askForPlace(document, suggestion.code);
    return text === undefined ? undefined : { text, rejectedHunks: [] };
  }
}

function withoutSpaces(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

interface PlaceItem extends vscode.QuickPickItem {
  readonly region: Region;
}

/**
 * Asks where to insert code that has no similarity to the contents of a file.
 * @returns the text with the code inserted, or undefined if the user canceled.
 */
async function askForPlace(document: vscode.TextDocument, code: string): Promise<string | undefined> {
  const text = document.getText();
  const { length } = linesOf(text);
  const items: PlaceItem[] = [
    ...cursorPlaces(document),
    { label: l10n.t('Append to the end of the file'), region: { start: length, end: length } },
    { label: l10n.t('Replace the whole file'), region: { start: 0, end: length } },
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: l10n.t('Apply to {0}', baseName(document.uri.path)),
    placeHolder: l10n.t('No similar code was found in the file. Choose where to put the code.'),
  });
  return chosen && replaceLines(text, chosen.region, code);
}

function cursorPlaces(document: vscode.TextDocument): PlaceItem[] {
  const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
  if (editor === undefined) return [];
  const { start, end, isEmpty, active } = editor.selection;
  if (isEmpty) {
    const label = l10n.t('Insert before line {0}, at the cursor', active.line + 1);
    return [{ label, region: { start: active.line, end: active.line } }];
  }
  const last = end.character === 0 ? end.line : end.line + 1;
  const label = l10n.t('Replace the selection, lines {0} to {1}', start.line + 1, last);
  return [{ label, region: { start: start.line, end: last } }];
}

/** The maximum number of hunks that the message names. */
const MAX_NAMED = 3;

/** Reports the parts of a diff that are not in a file. */
function warnOfRejected(uri: vscode.Uri, suggestion: SuggestedChange, rejectedHunks: readonly DiffHunk[]): void {
  const count = suggestion.kind === 'diff' ? suggestion.diff.hunks.length : rejectedHunks.length;
  const named = rejectedHunks.slice(0, MAX_NAMED).map(nameOf);
  const names = [...named, ...(rejectedHunks.length > MAX_NAMED ? ['…'] : [])].join(', ');
  const file = baseName(uri.path);
  const text =
    rejectedHunks.length === count
      ? l10n.t('No change in the diff applies to {0}: {1}', file, names)
      : l10n.t('{0} of {1} changes in the diff do not apply to {2}: {3}', rejectedHunks.length, count, file, names);
  void vscode.window.showWarningMessage(text);
}

/** Returns the hunk's heading, or the first line that it looks for. */
function nameOf({ header, lines }: DiffHunk): string {
  const [line = lines[0]] = lines.filter(({ kind, text }) => kind !== 'added' && text.trim() !== '');
  return header !== '' ? header : l10n.t('“{0}”', line?.text.trim() ?? '');
}
