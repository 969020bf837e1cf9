import { setTimeout as delay } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { RunClaims } from '../../agent/runClaims.ts';
import type { ConversationStore } from '../../chat/conversation/conversationStore.ts';
import type { LiveConversation } from '../../chat/conversation/liveConversation.ts';

/** How often it is looked whether another window still works, in milliseconds. */
const LOOK_MS = 500;
/** After a reload, the earlier window seems to work for a few seconds, so this often before a run begins. */
const TRIES = 8;

/** Finds out whether other windows work on the chat shown. A window that does touches the chat's file every second. */
export class RunsElsewhere implements vscode.Disposable {
  readonly #store: ConversationStore;
  readonly #claims: RunClaims;
  readonly #onDidChange: () => void;
  readonly #onError: (error: unknown) => void;
  /** The chat that another window works on, when it was looked last. */
  #found: LiveConversation | undefined;
  /** The chat that is looked at. */
  #followed: LiveConversation | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: ConversationStore, onDidChange: () => void, onError: (error: unknown) => void) {
    this.#store = store;
    this.#claims = new RunClaims(store);
    this.#onDidChange = onDidChange;
    this.#onError = onError;
  }

  /** Whether another window works on this chat, as far as it is known. */
  has(conversation: LiveConversation): boolean {
    return this.#found === conversation && hasUnfinishedRun(conversation);
  }

  /** Looks at the chat shown, on which no run of this window is in progress, until no other window works on it. */
  follow(conversation: LiveConversation | undefined): void {
    clearTimeout(this.#timer);
    this.#followed = conversation;
    this.#look(conversation).catch(this.#onError);
  }

  /** Whether no other window works on this chat any more, after a few seconds at most. */
  async isFree({ id }: LiveConversation): Promise<boolean> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      if (await this.#claims.isFree(id)) return true;
      await delay(LOOK_MS);
    }
    return this.#claims.isFree(id);
  }

  /** The run that another window has begun at the same moment as this one, but earlier. */
  earlierClaim({ id }: LiveConversation): Promise<string | undefined> {
    return this.#claims.earlierClaim(id);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#followed = undefined;
  }

  async #look(conversation: LiveConversation | undefined): Promise<void> {
    const found = conversation !== undefined && (await this.#isBusy(conversation)) ? conversation : undefined;
    if (this.#followed !== conversation) return;
    const isChanged = found !== this.#found;
    this.#found = found;
    if (isChanged) this.#onDidChange();
    clearTimeout(this.#timer);
    if (found !== undefined) this.#timer = setTimeout(() => this.follow(found), LOOK_MS);
  }

  async #isBusy(conversation: LiveConversation): Promise<boolean> {
    return hasUnfinishedRun(conversation) && (await this.#store.isAlive(conversation.id));
  }
}

/** Whether a run of the chat has neither ended nor stopped: it is in progress, or was interrupted. */
function hasUnfinishedRun({ value }: LiveConversation): boolean {
  return value.all.some(({ id }) => value.runOf(id)?.state === 'running');
}

/** Another window works on the chat. */
export class ActsElsewhereError extends Error {
  /** The run that it works on, if it is known. */
  readonly run: string | undefined;

  constructor(run?: string) {
    super(l10n.t('The agent is working on this chat in another window.'));
    this.run = run;
  }
}
