import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ChatHostMessage } from '../../../pages/chat/protocol.ts';
import type { ChatSession } from '../chatSession.ts';
import { ChatPage, type ChatPageServices, type PanelActions } from './chatPage.ts';

const CHAT_VIEW = 'modelAccess.chat';

/** The view with the chat panel. */
export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly #page: ChatPage;
  readonly #services: ChatPageServices;
  readonly #subscriptions: vscode.Disposable[];
  #view: vscode.WebviewView | undefined;

  constructor(session: ChatSession, actions: PanelActions, services: ChatPageServices) {
    this.#services = services;
    this.#page = new ChatPage(session, actions, services);
    session.panel.reveal = () => this.reveal();
    this.#subscriptions = [
      this.#page,
      vscode.window.registerWebviewViewProvider(CHAT_VIEW, this),
      services.chats.onDidChangeRunning(() => this.#showBadge()),
    ];
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    const subscriptions = [
      this.#page.load(view.webview, () => view.visible),
      view.onDidChangeVisibility(() => view.visible || this.#page.hide()),
    ];
    this.#showBadge();
    view.onDidDispose(() => {
      vscode.Disposable.from(...subscriptions).dispose();
      if (this.#view !== view) return;
      this.#view = undefined;
      this.#page.unload();
    });
  }

  /** Shows the view and focuses its composer, or sends another message. */
  async reveal(message: ChatHostMessage = { type: 'focus' }): Promise<void> {
    this.#page.postOnceReady(message);
    await vscode.commands.executeCommand(`${CHAT_VIEW}.focus`);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  /** Counts the chats that wait for the user, which the view may not show. */
  #showBadge(): void {
    if (this.#view === undefined) return;
    const waiting = this.#services.chats.running.filter(({ isWaiting }) => isWaiting === true).length;
    if (waiting === (this.#view.badge?.value ?? 0)) return;
    this.#view.badge = waiting === 0 ? undefined : { value: waiting, tooltip: l10n.t('The agent is waiting for you') };
  }
}

const STATE_KEY = 'modelAccess.shownOnce';

/** Shows the chat panel once after the installation, without moving the focus, because its tab is easily missed. */
export async function showOnce(memory: vscode.Memento): Promise<void> {
  if (memory.get(STATE_KEY) === true) return;
  await memory.update(STATE_KEY, true);
  await vscode.commands.executeCommand('modelAccess.chat.focus', { preserveFocus: true });
}
