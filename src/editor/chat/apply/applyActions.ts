import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { hasNewMarkers } from '../../../chat/apply/marks.ts';
import type { Patched } from '../../../chat/apply/patch.ts';

import {
  isCutOff,
  newText,
  pathInComment,
  type SuggestedChange,
  suggestedText,
  suggestionsIn,
  withoutPath,
  withoutSpaces,
} from '../../../chat/apply/suggestion.ts';
import type { DiffHunk, FileDiff } from '../../../chat/apply/unifiedDiff.ts';
import { moneyOf } from '../../../chat/conversation/conversationCost.ts';
import { attachmentsOf } from '../../../chat/conversation/entry.ts';
import { baseName } from '../../../files/paths.ts';

import type { ReviewPageMessage } from '../../../pages/agentReview/reviewMessages.ts';
import type { AnswerTurn } from '../../../pages/chat/protocol.ts';

import { openNewFile } from '../../documents/newFile.ts';
import type { WorkspaceFileFinder } from '../../files/workspaceFile.ts';
import type { Chat } from '../chat.ts';
import type { ChatSession } from '../chatSession.ts';
import type { PaidAnswer } from '../paidCall.ts';
import { ModelMerge, type ModelMergeServices } from './modelMerge.ts';
import { askForPlace } from './placeQuestion.ts';
import { ProposalReview, type ProposalReviewServices } from './proposalReview.ts';
import { findTarget } from './target.ts';

/** Whole lines of a file. */
export interface FilePart {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  readonly text: string;
}

export interface ApplyServices
  extends Omit<ProposalReviewServices, 'undo' | 'isChatVisible' | 'applied'>,
    ModelMergeServices {
  readonly finder: WorkspaceFileFinder;
}

/** An answer that proposes changes. One of the chat has the model that wrote it, and the code block that is applied. */
interface ChatAnswer extends PaidAnswer {
  readonly model?: string;
  readonly code?: string;
}

/** Where code comes from. */
interface Source {
  readonly chat: Chat;
  readonly answer: ChatAnswer | undefined;
}

/** Applies code of an answer to the file that it belongs to, after the user has reviewed each change. */
export class ApplyActions implements vscode.Disposable {
  readonly #session: ChatSession;
  readonly #finder: WorkspaceFileFinder;
  readonly #review: ProposalReview;
  readonly #merge: ModelMerge;

  constructor(session: ChatSession, { finder, ...services }: ApplyServices) {
    this.#session = session;
    this.#finder = finder;
    this.#merge = new ModelMerge(services);
    const { undo, applied } = session;
    this.#review = new ProposalReview({ ...services, undo, isChatVisible: () => session.isVisible, applied });
  }

  /**
   * @param chat The chat with the answer.
   * @param paths Paths that the answer names for the file, the most likely first.
   * @param language The language as the answer names it; a diff is applied to each of its files.
   */
  async apply(chat: Chat, code: string, paths: readonly string[], language = ''): Promise<void> {
    const turn = answerWith(code, chat);
    if (turn !== undefined && isCutOff(turn, code)) {
      throw new Error(
        l10n.t('The answer ended within this code. Nothing was changed. Continue the answer, or retry it.'),
      );
    }
    const answer = turn && { id: turn.id, model: turn.model, code, ...moneyOf(turn) };
    for (const suggestion of suggestionsIn(code, language)) {
      if (suggestion.kind === 'diff') await this.#applyDiff(suggestion.diff, paths, { answer, chat });
      else await this.#apply(suggestion, [...pathInComment(suggestion.code), ...paths], { answer, chat });
    }
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
    await this.#compare(document, suggestion, { text: whole, rejectedHunks: [] }, [answer]);
  }

  receiveReview(message: ReviewPageMessage): Promise<void> {
    return this.#review.receive(message);
  }

  dispose(): void {
    this.#review.dispose();
  }

  async #applyDiff(diff: FileDiff, paths: readonly string[], source: Source): Promise<void> {
    if (diff.kind === 'deleted') {
      void vscode.window.showInformationMessage(
        l10n.t('The diff deletes {0}. Delete it yourself to apply this change.', diff.path ?? l10n.t('a file')),
      );
      return;
    }
    const named = diff.path === undefined ? paths : [diff.path, ...paths];
    const suggestion: SuggestedChange = { kind: 'diff', diff };
    // A new file may exist by now, whose text is then compared with it.
    const isNew = diff.kind === 'created';
    await this.#apply(isNew ? { kind: 'code', code: newText(suggestion) } : suggestion, named, source);
  }

  async #apply(suggestion: SuggestedChange, paths: readonly string[], { answer, chat }: Source): Promise<void> {
    const { entries } = chat.conversation.value;
    const attached = attachmentsOf(entries).map(({ path }) => path);
    const target = await findTarget({ suggestion, paths, attached: attached.reverse() }, this.#finder);
    if (target?.kind === 'new') await openNewFile(target.uri, newText(suggestion));
    else if (target !== undefined) await this.#suggest(target.uri, suggestion, answer);
  }

  async #suggest(uri: vscode.Uri, suggestion: SuggestedChange, answer: ChatAnswer | undefined): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    if (suggestion.kind === 'code' && hasNewMarkers(document.getText(), suggestion.code)) {
      throw new Error(l10n.t('The code contains markers of an edit that could not be read. Nothing was changed.'));
    }
    const found = suggestedText(document.getText(), suggestion, uri.path);
    const { model, code, ...paidAnswer } = answer ?? {};
    const codes = code === undefined ? [] : [code];
    const answers = isPaid(paidAnswer) ? [paidAnswer] : [];
    if (found !== undefined) return this.#compare(document, suggestion, found, answers, codes);
    if (suggestion.kind === 'diff') {
      // None of its changes was found.
      const none = { text: document.getText(), rejectedHunks: suggestion.diff.hunks };
      return this.#compare(document, suggestion, none, answers, codes);
    }
    const main = model ?? this.#session.parameters.model;
    const placeable = withoutPath(suggestion.code, document.getText(), uri.path);
    const placed = await askForPlace(document, placeable, this.#merge, main);
    if (placed === undefined) return;
    const paid = placed.answer === undefined ? answers : [...answers, placed.answer];
    await this.#compare(document, suggestion, { text: placed.text, rejectedHunks: [] }, paid, codes);
  }

  async #compare(
    document: vscode.TextDocument,
    suggestion: SuggestedChange,
    patched: Patched,
    answers: readonly PaidAnswer[],
    codes: readonly string[] = [],
  ): Promise<void> {
    const { uri } = document;
    const base = document.getText();
    if (patched.rejectedHunks.length > 0) warnOfRejected(uri, suggestion, patched.rejectedHunks);
    if (patched.text === base && patched.rejectedHunks.length === 0) {
      void vscode.window.showInformationMessage(l10n.t('{0} already contains this code.', baseName(uri.path)));
    }
    if (patched.text === base) return;
    await this.#review.open([{ document, base, current: patched.text }], answers, codes);
  }
}

/** The answer of the chat that contains this code. Lists indent code, so that spaces may differ. */
function answerWith(code: string, { conversation }: Chat): AnswerTurn | undefined {
  const wanted = withoutSpaces(code);
  return conversation.value.all
    .filter((entry) => entry.role === 'assistant')
    .findLast(({ text }) => withoutSpaces(text).includes(wanted));
}

function isPaid(answer: Partial<PaidAnswer>): answer is PaidAnswer {
  return answer.id !== undefined;
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
