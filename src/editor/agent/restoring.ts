import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { FileWorker } from '../../agent/fileClaims.ts';
import { resultForUser } from '../../agent/tools/tool.ts';
import type { RestoreChoice, RestoreView } from '../../pages/chat/protocol.ts';
import type { Chat } from '../chat/chat.ts';
import { Claim } from '../claim.ts';
import type { AgentRun } from './agentRun.ts';
import type { RestorePoint } from './restoreRun.ts';

interface RestoringHost {
  /** A run of the chat. */
  runOf(id: string): AgentRun;
  /**
   * Ends the work on the chat.
   * @throws if another window works on it.
   */
  end(): Promise<void>;
  /** Claims files until `release`. Returns who works on one of them. */
  claim(uris: readonly vscode.Uri[]): FileWorker | undefined;
  release(): void;
  /** Called when the user is asked something else. */
  update(): void;
}

/** What the user is asked to restore in a chat. The code that restores is loaded with the first question. */
export class Restoring {
  readonly #chat: Chat;
  readonly #host: RestoringHost;
  #view: RestoreView | undefined;
  /** While files are restored, no run begins that would change them. */
  readonly #claim: Claim;

  constructor(chat: Chat, host: RestoringHost) {
    this.#chat = chat;
    this.#host = host;
    this.#claim = new Claim(() => host.update());
  }

  get isInProgress(): boolean {
    return this.#claim.isHeld;
  }

  get ended(): Promise<void> {
    return this.#claim.ended;
  }

  /** The card that asks. */
  get view(): RestoreView | undefined {
    return this.#view;
  }

  async ask(runId: string): Promise<void> {
    this.#show(await this.plan(runId));
  }

  cancel(): void {
    this.#show(undefined);
  }

  async confirm(choice: RestoreChoice): Promise<void> {
    const asked = this.#view;
    this.#show(undefined);
    if (asked !== undefined) await this.restore(asked.runId, choice);
  }

  /** Removes the card without an update. */
  forget(): void {
    this.#view = undefined;
  }

  /** What restoring would change. */
  async plan(runId: string): Promise<RestoreView> {
    const { restoreViewOf } = await import('./restoreRun.ts');
    return restoreViewOf(await this.#pointOf(runId));
  }

  /** Restores the files, the chat, or both, unless that is in progress. */
  async restore(runId: string, choice: RestoreChoice): Promise<void> {
    await this.#claim.hold(() => this.#restore(runId, choice));
  }

  async #restore(runId: string, choice: RestoreChoice): Promise<void> {
    const run = this.#host.runOf(runId);
    await this.#host.end();
    const { changedFiles, restoreRun } = await import('./restoreRun.ts');
    const point = await this.#pointOf(runId);
    const other = choice.files ? this.#host.claim(await changedFiles(point.checkpoints)) : undefined;
    if (other !== undefined) {
      throw new Error(
        l10n.t('“{0}” works on a file that would be restored. Wait until it has ended, or stop it.', other.name),
      );
    }
    try {
      await resultForUser(restoreRun(point, choice, this.#chat));
    } finally {
      this.#host.release();
    }
    await run.countChanges();
  }

  #show(view: RestoreView | undefined): void {
    this.#view = view;
    this.#host.update();
  }

  async #pointOf(runId: string): Promise<RestorePoint> {
    const { conversation } = this.#chat;
    const { runsFrom } = await import('./restoreRun.ts');
    const checkpoints = runsFrom(conversation, runId).map((id) => this.#host.runOf(id).checkpoint);
    return { questionId: runId, conversation, checkpoints };
  }
}
