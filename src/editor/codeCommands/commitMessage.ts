import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { messageOf } from '../../chat/codeCommands/answerCode.ts';
import { cutDiff } from '../../chat/codeCommands/diffParts.ts';
import { textAttachment } from '../../chat/context/textAttachment.ts';
import { isAgreed, keysIn } from '../chat/guard/guard.ts';
import type { PromptLibrary } from '../chat/prompts/promptLibrary.ts';
import { Claim } from '../claim.ts';
import { type GitRepository, repositoryInUse } from '../git/gitApi.ts';
import { unstagedDiff } from '../git/workingChanges.ts';
import { codePrompt } from './codePrompts.ts';
import { askModel, type ModelCallServices } from './modelCall.ts';

/** A context key: while it is set, the button stops the message being written. */
const WRITING = 'modelAccess.writesCommitMessage';
const EXPECTED_TOKENS = 120;
/** The box is drawn again with each change, which takes the editor longer than a model needs for a word. */
const SHOWN_EVERY_MS = 200;

export interface CommitMessageServices extends ModelCallServices {
  readonly promptLibrary: PromptLibrary;
}

/**
 * Streams a commit message into its input box. If stopped or failed, the box gets its previous text back. What the user
 * types there meanwhile stays, and stops it.
 */
export class CommitMessage {
  readonly #services: CommitMessageServices;
  readonly #writing = new Claim();
  /** The texts that the box has got for the last message. */
  #own: ReadonlySet<string> = new Set();

  constructor(services: CommitMessageServices) {
    this.#services = services;
  }

  /** @param sourceControl The source control whose button was pressed; undefined from the Command Palette. */
  async write(sourceControl: unknown): Promise<void> {
    await this.#writing.hold(({ stop }) => this.#write(sourceControl, stop));
  }

  async #write(sourceControl: unknown, stop: AbortSignal): Promise<void> {
    const repository = await repositoryInUse(rootOf(sourceControl));
    if (repository === undefined) return;
    await vscode.commands.executeCommand('setContext', WRITING, true);
    const { inputBox } = repository;
    const earlier = inputBox.value;
    // The editor reports each text a moment after it was set, so the box may have an earlier one again.
    const [before, own] = [this.#own, new Set([earlier])];
    this.#own = own;
    const show = (written: string) => {
      // The box has only line feeds, and would seem to be changed by the person otherwise.
      const text = written.replace(/\r\n?/g, '\n');
      if (!own.has(inputBox.value) && !before.has(inputBox.value)) return this.stop();
      own.add(text);
      inputBox.value = text;
    };
    try {
      show((await this.#ask(repository, earlier, show, stop)) ?? earlier);
    } catch (error) {
      show(earlier);
      throw error;
    } finally {
      await vscode.commands.executeCommand('setContext', WRITING, false);
    }
  }

  stop(): void {
    this.#writing.stop();
  }

  async #ask(
    repository: GitRepository,
    earlier: string,
    show: (text: string) => void,
    stopped: AbortSignal,
  ): Promise<string | undefined> {
    const diff = await diffOf(repository);
    if (diff === undefined) {
      void vscode.window.showInformationMessage(l10n.t('There are no changes to describe.'));
      return undefined;
    }
    const cut = cutDiff(diff);
    if (cut !== diff) void vscode.window.setStatusBarMessage(`${diff.label}: ${cut.note}`, 8000);
    if (!(await isAgreed(await keysIn([diff])))) return undefined;
    const prompt = await codePrompt(this.#services.promptLibrary, 'commit-message', diff.label, repository.rootUri);
    const question = {
      use: 'commitMessage',
      prompt: earlier.trim() === '' ? prompt : `The message must say this: ${earlier.trim()}\n\n${prompt}`,
      attachments: [cut],
      expectedTokens: EXPECTED_TOKENS,
      title: l10n.t('Writing the commit message'),
    } as const;
    let shownAt = 0;
    const showSome = (text: string) => {
      if (performance.now() - shownAt < SHOWN_EVERY_MS) return;
      show(text);
      shownAt = performance.now();
    };
    const answer = await askModel(this.#services, question, vscode.ProgressLocation.SourceControl, showSome, stopped);
    return answer === undefined ? undefined : messageOf(answer.text);
  }
}

/** Returns the staged changes. If nothing is staged, those that the editor then commits, as its settings say, if any. */
async function diffOf(repository: GitRepository) {
  const [conflict] = repository.state.mergeChanges;
  if (conflict !== undefined) {
    throw new Error(
      l10n.t('Resolve the conflicts of the merge first: {0}', vscode.workspace.asRelativePath(conflict.uri)),
    );
  }
  const staged = await repository.diff(true);
  const isStaged = staged.trim() !== '';
  const git = vscode.workspace.getConfiguration('git', repository.rootUri);
  const isTrackedOnly = git.get('smartCommitChanges') === 'tracked';
  const unstaged = () => (isTrackedOnly ? repository.diff(false) : unstagedDiff(repository));
  const text = isStaged ? staged : await unstaged();
  if (text.trim() === '') return undefined;
  const label = isStaged ? l10n.t('Staged changes') : l10n.t('Changes');
  return textAttachment({ kind: 'diff', label, path: isStaged ? 'staged' : 'unstaged', languageId: 'diff', text });
}

function rootOf(sourceControl: unknown): vscode.Uri | undefined {
  if (typeof sourceControl !== 'object' || sourceControl === null || !('rootUri' in sourceControl)) return undefined;
  return sourceControl.rootUri instanceof vscode.Uri ? sourceControl.rootUri : undefined;
}
