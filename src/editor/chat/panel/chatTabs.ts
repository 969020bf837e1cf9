import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { KeptState } from '../../../pages/chat/protocol.ts';
import { ChatSession, type ChatSessionServices } from '../chatSession.ts';
import { ChatPage, type ChatPageServices, type PanelActions } from './chatPage.ts';

const VIEW_TYPE = 'modelAccess.chatTab';

/** What acts on the chats of a tab, until it is closed. */
export interface TabActions extends PanelActions, vscode.Disposable {}

export interface ChatTabsServices extends Omit<ChatSessionServices, 'memory'>, ChatPageServices {
  readonly actionsFor: (session: ChatSession) => TabActions;
}

/** Chats in tabs of the editor, beside the panel. After a reload of the window, each shows its chat again. */
export class ChatTabs implements vscode.WebviewPanelSerializer<KeptState>, vscode.Disposable {
  readonly #services: ChatTabsServices;
  readonly #serializer: vscode.Disposable;
  readonly #open = new Set<vscode.WebviewPanel>();

  constructor(services: ChatTabsServices) {
    this.#services = services;
    this.#serializer = vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, this);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, kept: KeptState | undefined): Promise<void> {
    await this.#show(panel, kept?.draftPlace?.conversationId);
  }

  /** Moves the chat of the panel into a tab. The panel shows a new one. */
  async moveFrom(session: ChatSession): Promise<void> {
    const { id, conversation } = session.chat;
    const { isNew } = conversation.value;
    // Nothing is awaited between the two places, so that no notice reports an answer as ended out of sight.
    const left = session.startNew();
    const panel = vscode.window.createWebviewPanel(VIEW_TYPE, titleOf(conversation.title), vscode.ViewColumn.Active);
    await Promise.all([left, this.#show(panel, isNew ? undefined : id)]);
  }

  dispose(): void {
    this.#serializer.dispose();
    // Nobody has closed the tabs: they are restored when the extension runs again.
    for (const panel of this.#open) panel.dispose();
  }

  async #show(panel: vscode.WebviewPanel, chatId: string | undefined): Promise<void> {
    const { chats, actionsFor } = this.#services;
    const session = new ChatSession(this.#services);
    const actions = actionsFor(session);
    const page = new ChatPage(session, actions, this.#services);
    this.#open.add(panel);
    panel.iconPath = new vscode.ThemeIcon('comment-discussion');
    session.panel.reveal = () => panel.reveal();
    const subscriptions = [
      page,
      session,
      actions,
      panel.onDidChangeViewState(() => panel.visible || page.hide()),
      chats.onDidChange((chat) => {
        if (chat === session.chat) panel.title = titleOf(chat.conversation.title);
      }),
    ];
    panel.onDidDispose(() => {
      this.#open.delete(panel);
      vscode.Disposable.from(...subscriptions).dispose();
    });
    if (chatId !== undefined) await session.open(chatId);
    panel.title = titleOf(session.chat.conversation.title);
    subscriptions.push(page.load(panel.webview, () => panel.visible));
    page.postOnceReady({ type: 'focus' });
  }
}

function titleOf(title: string): string {
  return title === '' ? l10n.t('New chat') : title;
}
