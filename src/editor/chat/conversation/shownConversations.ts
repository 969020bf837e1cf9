import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Conversation } from '../../../chat/conversation/conversation.ts';
import type { ConversationImages } from '../../../chat/conversation/conversationImages.ts';
import type { ConversationStore, FollowedConversation } from '../../../chat/conversation/conversationStore.ts';
import { LiveConversation } from '../../../chat/conversation/liveConversation.ts';
import type { Log } from '../../log/log.ts';

/** The key in the workspace state for the ID of the conversation that the window showed last. */
const SHOWN_KEY = 'modelAccess.conversation';

export interface ShownConversationsServices {
  readonly store: ConversationStore;
  /** The images of the conversation shown. */
  readonly images: ConversationImages;
  /** The workspace state. */
  readonly memory: vscode.Memento;
  readonly log: Log;
}

/** Creates the conversations that the window can show, new and saved ones. Remembers which one it showed last. */
export class ShownConversations {
  readonly #services: ShownConversationsServices;

  constructor(services: ShownConversationsServices) {
    this.#services = services;
  }

  /** The ID of the conversation that this window showed when it was closed. */
  get lastId(): string | undefined {
    return this.#services.memory.get<string>(SHOWN_KEY);
  }

  /** Creates a conversation. It has no file before its first question. */
  begin(id: string = randomUUID()): LiveConversation {
    return this.#live({ conversation: new Conversation(id), end: 0, elsewhere: [], own: [] });
  }

  /** Returns a saved conversation with its images, or undefined if it does not exist. */
  async read(id: string): Promise<LiveConversation | undefined> {
    const { store, images } = this.#services;
    await store.whenWritten();
    const stored = await store.readAndFollow(id);
    if (stored === undefined) return undefined;
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
