import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { errorText } from '../../../display/errors.ts';
import type { ChatPanelMessage } from '../../../pages/chat/panelMessages.ts';
import type { ChatHostMessage } from '../../../pages/chat/protocol.ts';
import { PageLoader } from '../../../pages/pageLoader.ts';
import { type MessageReader, nameOfType } from '../../../pages/pageMessages.ts';
import type { Log } from '../../log/log.ts';
import { linkedPage, panelMedia, panelOptions } from '../../webviews/panelPage.ts';
import type { ChatSession } from '../chatSession.ts';

const CHAT_VIEW = 'modelAccess.chat';

/** The actions that the panel can request, beyond the conversation. */
export interface PanelActions {
  receive(message: ChatPanelMessage): unknown;
}

/** The chat's webview: its page, and the messages in both directions. The session outlives the view. */
export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly #session: ChatSession;
  readonly #actions: PanelActions;
  readonly #media: vscode.Uri;
  readonly #log: Log;
  readonly #loader = new PageLoader();
  readonly #subscriptions: vscode.Disposable[];
  #view: vscode.WebviewView | undefined;
  #reader: Promise<MessageReader<ChatPanelMessage>> | undefined;
  /**
   * Messages for a panel that is not ready yet. It gets the whole state then, but the focus only if it was requested.
   */
  #whenReady: readonly ChatHostMessage[] = [];

  constructor(extensionUri: vscode.Uri, session: ChatSession, actions: PanelActions, log: Log) {
    this.#session = session;
    this.#actions = actions;
    this.#media = panelMedia(extensionUri);
    this.#log = log;
    session.panel.isVisible = () => this.#view?.visible === true;
    this.#subscriptions = [
      vscode.window.registerWebviewViewProvider(CHAT_VIEW, this),
      session.panel.onDidPost((message) => this.#post(message)),
      session.runs.onDidChange((run) => this.#showBadge(run?.state === 'waiting')),
    ];
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    const { webview } = view;
    webview.options = panelOptions(this.#media);
    const received = webview.onDidReceiveMessage((message: unknown) => this.#receive(message));
    view.onDidDispose(() => {
      received.dispose();
      if (this.#view !== view) return;
      this.#view = undefined;
      this.#loader.stop();
    });
    this.#loader.start({
      isVisible: () => view.visible,
      load: () => {
        webview.html = linkedPage(webview, this.#media, 'chat');
      },
      onRetry: () => this.#log.warn('The chat panel did not load. It is loaded again'),
    });
  }

  /** Shows the view and focuses its composer, or sends another message. */
  async reveal(message: ChatHostMessage = { type: 'focus' }): Promise<void> {
    this.#whenReady = [message];
    await vscode.commands.executeCommand(`${CHAT_VIEW}.focus`);
    this.#post(message);
  }

  dispose(): void {
    this.#loader.stop();
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  /** Counts the decision that a run waits for, which the view may not show. */
  #showBadge(isWaiting: boolean): void {
    if (this.#view === undefined || isWaiting === (this.#view.badge !== undefined)) return;
    this.#view.badge = isWaiting ? { value: 1, tooltip: l10n.t('The agent is waiting for you') } : undefined;
  }

  async #receive(received: unknown): Promise<void> {
    try {
      this.#reader ??= import('../../../pages/chat/panelMessages.ts').then(({ readPanelMessage }) => readPanelMessage);
      const message = (await this.#reader)(received);
      if (message === undefined) this.#log.warn(`The panel’s “${nameOfType(received)}” is not a valid message`);
      else await this.#act(message);
    } catch (error) {
      this.#log.error(`The panel’s “${nameOfType(received)}” failed`, error);
      void vscode.window.showErrorMessage(errorText(error));
    }
  }

  async #act(message: ChatPanelMessage): Promise<void> {
    if (message.type === 'ready') {
      this.#loader.stop();
      this.#post({ type: 'state', state: this.#session.state });
      for (const waiting of this.#whenReady) this.#post(waiting);
      this.#whenReady = [];
      this.#session.undo.repeat();
      this.#session.applied.repeat();
      return;
    }
    await this.#actions.receive(message);
  }

  /** A hidden view drops messages. It requests the whole state when it is shown again. */
  #post(message: ChatHostMessage): void {
    void this.#view?.webview.postMessage(message);
  }
}

const STATE_KEY = 'modelAccess.shownOnce';

/** Shows the chat panel once after the installation, without moving the focus, because its tab is easily missed. */
export async function showOnce(memory: vscode.Memento): Promise<void> {
  if (memory.get(STATE_KEY) === true) return;
  await memory.update(STATE_KEY, true);
  await vscode.commands.executeCommand('modelAccess.chat.focus', { preserveFocus: true });
}
