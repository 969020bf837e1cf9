import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Log } from '../../log/log.ts';
import { Conversation } from './conversation.ts';
import type { ConversationImages } from './conversationImages.ts';
import type { ConversationStore, FollowedConversation } from './conversationStore.ts';
import { LiveConversation } from './liveConversation.ts';

/** In the workspace's memory: the conversation that its window showed last, by its id. */
const SHOWN_KEY = 'modelAccess.conversation';

export interface ShownConversationsServices {
  readonly store: ConversationStore;
  /** Of the conversation that shows: those of an earlier one are forgotten when another is read. */
  readonly images: ConversationImages;
  /** Of the workspace. */
  readonly memory: vscode.Memento;
  readonly log: Log;
}

/** Makes the conversations that the window can show: new ones, and those of files. Remembers which it showed last. */
export class ShownConversations {
  readonly #services: ShownConversationsServices;

  constructor(services: ShownConversationsServices) {
    this.#services = services;
  }

  /** The conversation that this window showed when it was closed, by its id. */
  get lastId(): string | undefined {
    return this.#services.memory.get<string>(SHOWN_KEY);
  }

  /** A new conversation. It has no file before its first question. */
  begin(id: string = randomUUID()): LiveConversation {
    return this.#live({ conversation: new Conversation(id), end: 0, elsewhere: [], own: [] });
  }

  /** A saved conversation with its images, or undefined when it is not there. */
  async read(id: string): Promise<LiveConversation | undefined> {
    const { store, images } = this.#services;
    await store.whenWritten();
    const stored = await store.readAndFollow(id);
    if (stored === undefined) return undefined;
    images.clear();
    await images.load(id, stored.conversation.entries);
    return this.#live(stored);
  }

  async remember(id: string): Promise<void> {
    await this.#services.memory.update(SHOWN_KEY, id);
  }

  #live(conversation: FollowedConversation): LiveConversation {
    const { store, log } = this.#services;
    return new LiveConversation(conversation, store, (error) => {
      log.error('The conversation could not be saved', error);
      void vscode.window.showErrorMessage(l10n.t('Model Access could not save the chat. See the log for details.'));
    });
  }
}
