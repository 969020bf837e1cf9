import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { ConversationStore } from '../../chat/conversation/conversationStore.ts';
import { type Entry, imagesOf } from '../../chat/conversation/entry.ts';
import { forkRecords } from '../../chat/conversation/fork.ts';
import type { ConversationRecord } from '../../chat/conversation/record.ts';
import type { ChatPanelMessage } from '../../pages/chat/panelMessages.ts';
import type { Chat } from './chat.ts';
import type { ChatParts } from './chatParts.ts';

export type BranchActionMessage = Extract<ChatPanelMessage, { type: 'showBranch' | 'removeTurn' | 'keep' }>;

/** The user's choices among the branches of a chat. Nothing can be chosen while a question is being answered. */
export class BranchActions {
  readonly #chat: Chat;

  constructor(chat: Chat) {
    this.#chat = chat;
  }

  receive(message: BranchActionMessage): void {
    switch (message.type) {
      case 'showBranch':
        this.show(message.turnId, message.position);
        break;
      case 'removeTurn':
        this.remove(message.turnId);
        break;
      case 'keep':
        this.keep(message.turnId);
    }
  }

  /** Shows another branch. `position` is counted from 1. */
  show(turnId: string, position: number): void {
    const chosen = this.#value.siblingsOf(turnId)[position - 1];
    if (chosen === undefined || this.#isFixed) return;
    this.#record({ type: 'chosen', id: chosen });
  }

  /** Removes a question with its answers, or a single answer, from the conversation. The turns after it stay. */
  remove(turnId: string): void {
    const entry = this.#value.entry(turnId);
    if (entry === undefined || this.#isFixed) return;
    const ids = entry.role === 'user' ? [turnId, ...this.#answersTo(turnId)] : [turnId];
    this.#record(...ids.map((id): ConversationRecord => ({ type: 'removed', id })));
    this.#chat.undo?.offer({
      isOfChat: true,
      text: entry.role === 'user' ? l10n.t('Question deleted.') : l10n.t('Answer deleted.'),
      undo: () =>
        this.#record(...ids.map((id): ConversationRecord => ({ type: 'restored', id })), {
          type: 'chosen',
          id: turnId,
        }),
    });
  }

  /** Keeps one of the answers shown side by side. The others stay as branches. */
  keep(turnId: string): void {
    const isCompared = this.#value.comparison.some(({ id }) => id === turnId);
    if (!isCompared || this.#isFixed) return;
    this.#record({ type: 'kept', id: turnId });
  }

  get #value() {
    return this.#chat.conversation.value;
  }

  get #isFixed(): boolean {
    const { turns } = this.#chat;
    return turns.isAsking || turns.isBusy;
  }

  /** Of a question that has begun a run, also the further steps, and what was said between them. */
  #answersTo(questionId: string): string[] {
    const { all } = this.#value;
    const answers = all.filter(
      (entry) =>
        entry.role === 'assistant' && (this.#value.parentOf(entry.id) === questionId || entry.run === questionId),
    );
    const before = new Set(answers.map(({ id }) => this.#value.parentOf(id)));
    return all
      .filter((entry) => answers.includes(entry) || (entry.id !== questionId && isSaidIn(entry, before)))
      .map(({ id }) => id);
  }

  #record(...records: readonly ConversationRecord[]): void {
    for (const record of records) this.#chat.conversation.record(record);
    this.#chat.update();
  }
}

function isSaidIn({ id, role }: Entry, before: ReadonlySet<string | undefined>): boolean {
  return role === 'user' && before.has(id);
}

/**
 * Copies a chat up to and including this turn.
 * @returns the ID of the copy; undefined if the turn is not in the chat.
 */
export async function forkChat(
  { conversation, images }: Pick<ChatParts, 'conversation' | 'images'>,
  turnId: string,
  store: ConversationStore,
): Promise<string | undefined> {
  const id = randomUUID();
  const records = forkRecords(conversation.value, turnId, { id, workspace: store.workspace });
  if (records === undefined) return undefined;
  await images.load(conversation.id, conversation.value.all);
  await images.keep(id, imagesOf(conversation.value.all));
  await store.append(id, records);
  return id;
}
