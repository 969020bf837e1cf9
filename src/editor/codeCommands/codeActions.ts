import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { codeOf } from '../../chat/codeCommands/answerCode.ts';
import { testFileName } from '../../chat/codeCommands/testFile.ts';
import type { Attachment } from '../../chat/conversation/record.ts';
import type { CodePromptName } from '../../chat/prompts/codePromptTexts.ts';
import { baseName } from '../../files/paths.ts';
import type { ApplyActions } from '../chat/apply/applyActions.ts';
import type { ChatSession } from '../chat/chatSession.ts';
import { attachPlace, type CodePlace, placeOfProblem, placeOfSelection } from '../chat/context/codePlace.ts';
import type { ContextActions } from '../chat/context/contextActions.ts';
import { describeProblems } from '../chat/context/problems.ts';
import { Guard, isAgreed, keysIn } from '../chat/guard/guard.ts';
import type { PaidAnswer } from '../chat/paidCall.ts';
import type { ChatView } from '../chat/panel/chatView.ts';
import type { PromptLibrary } from '../chat/prompts/promptLibrary.ts';
import { activeEditor } from '../documents/activeEditor.ts';
import { exists } from '../documents/ifFound.ts';
import { openNewFile } from '../documents/newFile.ts';
import type { Lazy } from '../lazy.ts';
import { codePrompt, editCodePrompt } from './codePrompts.ts';
import { CommitMessage } from './commitMessage.ts';
import { askModel, type ModelCallServices } from './modelCall.ts';

export interface CodeActionServices extends ModelCallServices {
  readonly session: ChatSession;
  readonly view: ChatView;
  readonly chatContext: Lazy<ContextActions>;
  readonly promptLibrary: PromptLibrary;
  readonly apply: Lazy<ApplyActions>;
}

/** Commands on code outside the chat. New code is proposed and reviewed change by change, like code in an answer. */
export class CodeActions {
  readonly #services: CodeActionServices;
  readonly #commitMessage: CommitMessage;

  constructor(services: CodeActionServices) {
    this.#services = services;
    this.#commitMessage = new CommitMessage(services);
  }

  /** Explains the code in the chat, with the model chosen for such commands, or else the chat's model. */
  async explain(): Promise<void> {
    const { session, view, chatContext, modelUses, promptLibrary } = this.#services;
    if (session.chat.answers.areRunning)
      throw new Error(l10n.t('An answer is in progress. Stop it or wait for it to finish.'));
    const { document } = activeEditor();
    const context = await chatContext.get();
    session.chat.edited.change(undefined);
    if (!(await context.attachSelection())) return;
    await view.reveal();
    const label = session.chat.composition.attachments.at(-1)?.label ?? '';
    const chosen = modelUses.chosen('explain');
    const prompt = await codePrompt(promptLibrary, 'explain', label, document.uri);
    await session.chat.turns.send(prompt, chosen === undefined ? [] : [chosen], l10n.t('Explain {0}', label));
  }

  async document(): Promise<void> {
    const { document, selection } = activeEditor();
    const place = await placeOfSelection(document, selection);
    await this.#rewrite('document', place, attachPlace(place), l10n.t('Documenting {0}', place.label));
  }

  /** Fixes the problem that a code action is for, or else the one at the cursor. */
  async fix(uri: unknown, range: unknown): Promise<void> {
    const document = uri instanceof vscode.Uri ? await vscode.workspace.openTextDocument(uri) : activeEditor().document;
    const at = range instanceof vscode.Range ? range : activeEditor().selection;
    const problems = problemsAt(document.uri, at);
    const [first] = problems;
    if (first === undefined) throw new Error(l10n.t('The editor reports no problem at the cursor.'));
    const place = await placeOfProblem(
      document,
      problems.reduce((all, problem) => all.union(problem.range), first.range),
    );
    const attachments = [...attachPlace(place), describeProblems(document.uri, problems)];
    await this.#rewrite('fix', place, attachments, l10n.t('Fixing {0}', place.label));
  }

  async writeTests(): Promise<void> {
    const { document, selection } = activeEditor();
    const place = await placeOfSelection(document, selection);
    const title = l10n.t('Writing tests for {0}', place.label);
    const answered = await this.#code('tests', place, attachPlace(place), title);
    if (answered !== undefined) await openTests(document, answered.code);
  }

  async commitMessage(sourceControl: unknown): Promise<void> {
    await this.#commitMessage.write(sourceControl);
  }

  stopCommitMessage(): void {
    this.#commitMessage.stop();
  }

  async editPrompt(): Promise<void> {
    await editCodePrompt(this.#services.promptLibrary);
  }

  async #rewrite(name: CodePromptName, place: CodePlace, attachments: Attachment[], title: string): Promise<void> {
    const answered = await this.#code(name, place, attachments, title);
    if (answered === undefined) return;
    const { range, text, document } = place;
    const apply = await this.#services.apply.get();
    await apply.propose({ uri: document.uri, range, text }, answered.code, answered.answer);
  }

  /** @returns the answer with its code; undefined if the user declined or stopped it. */
  async #code(
    name: CodePromptName,
    { document, label }: CodePlace,
    attachments: readonly Attachment[],
    title: string,
  ): Promise<{ readonly code: string; readonly answer: PaidAnswer } | undefined> {
    if (!(await isShared(document, attachments))) return undefined;
    const prompt = await codePrompt(this.#services.promptLibrary, name, label, document.uri);
    const expectedTokens = attachments.find(({ kind }) => kind === 'selection')?.tokens ?? 0;
    const question = { use: 'explain', prompt, attachments, expectedTokens, title } as const;
    const answer = await askModel(this.#services, question, vscode.ProgressLocation.Notification);
    if (answer === undefined) return undefined;
    const code = codeOf(answer.text);
    return code === undefined ? refuse(answer.text) : { code, answer };
  }
}

/** Shows an answer without code instead of inserting it as code. */
async function refuse(answer: string): Promise<undefined> {
  const show = l10n.t('Show Answer');
  const choice = await vscode.window.showWarningMessage(
    l10n.t('The answer contains no code. Nothing was changed.'),
    show,
  );
  if (choice === show) {
    const document = await vscode.workspace.openTextDocument({ content: answer, language: 'markdown' });
    await vscode.window.showTextDocument(document);
  }
  return undefined;
}

/** Asks first if the file is ignored, or something in it looks like a key. */
async function isShared({ uri }: vscode.TextDocument, attachments: readonly Attachment[]): Promise<boolean> {
  const found = await new Guard().findingsOf([uri]);
  return isAgreed(found.length > 0 ? found : (await keysIn(attachments)).slice(0, 1));
}

function problemsAt(uri: vscode.Uri, range: vscode.Range): readonly vscode.Diagnostic[] {
  const all = vscode.languages.getDiagnostics(uri);
  const intersecting = all.filter((problem) => problem.range.intersection(range) !== undefined);
  const ofLine = ({ range: { start, end } }: vscode.Diagnostic) =>
    start.line <= range.end.line && end.line >= range.start.line;
  return intersecting.length > 0 ? intersecting : all.filter(ofLine);
}

/** Opens the tests in an unsaved file, under the usual name beside the code if that name is free. */
async function openTests({ uri, languageId }: vscode.TextDocument, code: string): Promise<void> {
  const content = `${code.trimEnd()}\n`;
  const name = uri.scheme === 'untitled' ? undefined : testFileName(baseName(uri.path));
  const place = name === undefined ? undefined : vscode.Uri.joinPath(uri, '..', name);
  if (place === undefined || (await exists(place))) {
    const document = await vscode.workspace.openTextDocument({ content, language: languageId });
    await vscode.window.showTextDocument(document, vscode.ViewColumn.Beside);
    return;
  }
  await openNewFile(place, content, vscode.ViewColumn.Beside);
}
