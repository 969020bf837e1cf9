import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Conversation } from '../../../chat/conversation/conversation.ts';
import type { ConversationStore, FollowedConversation } from '../../../chat/conversation/conversationStore.ts';
import { LiveConversation } from '../../../chat/conversation/liveConversation.ts';
import type { Log } from '../../log/log.ts';

/** Creates the conversations of chats, new and saved ones. */
export class SavedConversations {
  readonly #store: ConversationStore;
  readonly #log: Log;

  constructor(store: ConversationStore, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** Creates a conversation. It has no file before its first question. */
  begin(id: string = randomUUID()): LiveConversation {
    return this.#live({ conversation: new Conversation(id), end: 0, elsewhere: [], own: [] });
  }

  /** Returns a saved conversation, or undefined if it does not exist. */
  async read(id: string): Promise<LiveConversation | undefined> {
    await this.#store.whenWritten();
    const stored = await this.#store.readAndFollow(id);
    return stored && this.#live(stored);
  }

  #live(conversation: FollowedConversation): LiveConversation {
    return new LiveConversation(conversation, this.#store, (error) => {
      this.#log.error('The conversation could not be saved', error);
      void vscode.window.showErrorMessage(l10n.t('Model Access could not save the chat. See the log for details.'));
    });
  }
}
