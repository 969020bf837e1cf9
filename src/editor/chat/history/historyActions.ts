import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ConversationImages } from '../../../chat/conversation/conversationImages.ts';
import type { ConversationStore } from '../../../chat/conversation/conversationStore.ts';
import type { ChatPanelMessage } from '../../../pages/chat/panelMessages.ts';
import type { Lazy } from '../../lazy.ts';
import type { ChatSession } from '../chatSession.ts';
import type { HistoryPanel } from './historyPanel.ts';

export type HistoryMessage = Extract<
  ChatPanelMessage,
  {
    type:
      | 'history'
      | 'closeHistory'
      | 'openConversation'
      | 'renameConversation'
      | 'pinConversation'
      | 'deleteConversation'
      | 'exportConversation';
  }
>;

/** The actions on the list of saved conversations, in the panel and as commands. */
export class HistoryActions {
  readonly #session: ChatSession;
  readonly #store: ConversationStore;
  readonly #history: Lazy<HistoryPanel>;

  constructor(session: ChatSession, store: ConversationStore, history: Lazy<HistoryPanel>) {
    this.#session = session;
    this.#store = store;
    this.#history = history;
  }

  async receive(message: HistoryMessage): Promise<unknown> {
    const history = await this.#history.get();
    switch (message.type) {
      case 'history':
        return history.show(message);
      case 'closeHistory':
        return history.hide();
      case 'openConversation':
        return this.#session.open(message.conversationId);
      case 'renameConversation':
        return history.rename(message.conversationId, message.title);
      case 'pinConversation':
        return history.pin(message.conversationId, message.pinned);
      case 'deleteConversation':
        return history.delete(message.conversationId);
      case 'exportConversation':
        return this.export(message.conversationId);
    }
  }

  async export(id = this.#session.chat.conversation.id): Promise<void> {
    await this.#store.whenWritten();
    const stored = await this.#store.read(id);
    if (stored === undefined) throw new Error(l10n.t('There is nothing to export yet. Ask a question first.'));
    const { exportConversation } = await import('./transfer.ts');
    const images = new ConversationImages(this.#store);
    await images.load(id, stored.conversation.all);
    await exportConversation(stored.conversation, images.lookup);
  }

  /** Imports conversations, and shows the imported one if there is only one. */
  async import(): Promise<void> {
    const { importConversations } = await import('./transfer.ts');
    const ids = await importConversations(this.#store);
    await this.#history.current?.refresh();
    const [first] = ids;
    if (first !== undefined && ids.length === 1) await this.#session.open(first);
  }

  async rebuild(): Promise<void> {
    const history = await this.#history.get();
    const location = vscode.ProgressLocation.Notification;
    const count = await vscode.window.withProgress({ location, title: l10n.t('Reading all chats') }, () =>
      history.rebuild(),
    );
    void vscode.window.showInformationMessage(
      count === 1 ? l10n.t('The history has 1 chat.') : l10n.t('The history has {0} chats.', count),
    );
  }
}
