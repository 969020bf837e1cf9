import type * as vscode from 'vscode';
import type { ChatPanelMessage } from '../../../pages/chat/panelMessages.ts';
import type { ChatHostMessage } from '../../../pages/chat/protocol.ts';
import { PageLoader } from '../../../pages/pageLoader.ts';
import { nameOfType } from '../../../pages/pageMessages.ts';
import { type Log, showFailure } from '../../log/log.ts';
import { linkedPage, panelMedia, panelOptions } from '../../webviews/panelPage.ts';
import type { Chat } from '../chat.ts';
import type { ChatSession } from '../chatSession.ts';
import type { Chats } from '../chats.ts';

/** The actions that the page can request. */
export interface PanelActions {
  /** @param chat the chat that the page showed when the user did something in it. */
  receive(message: Exclude<ChatPanelMessage, { type: 'ready' }>, chat: Chat): unknown;
}

export interface ChatPageServices {
  readonly extensionUri: vscode.Uri;
  readonly chats: Chats;
  readonly log: Log;
}

/** The page of a chat in a panel or tab, and the messages in both directions. The session outlives the page. */
export class ChatPage implements vscode.Disposable {
  readonly #session: ChatSession;
  readonly #actions: PanelActions;
  readonly #services: ChatPageServices;
  readonly #loader = new PageLoader();
  readonly #posts: vscode.Disposable;
  #webview: vscode.Webview | undefined;
  #isReady = false;
  /** Messages for a page that is not ready yet. It gets the whole state then, but the focus only if it was requested. */
  #whenReady: readonly ChatHostMessage[] = [];

  constructor(session: ChatSession, actions: PanelActions, services: ChatPageServices) {
    this.#session = session;
    this.#actions = actions;
    this.#services = services;
    this.#posts = session.panel.onDidPost((message) => this.#post(message));
  }

  /** Loads the page into a webview. */
  load(webview: vscode.Webview, isVisible: () => boolean): vscode.Disposable {
    const { extensionUri, log } = this.#services;
    const media = panelMedia(extensionUri);
    this.#webview = webview;
    this.#isReady = false;
    this.#session.panel.isVisible = () => this.#isReady && isVisible();
    webview.options = panelOptions(media);
    const received = webview.onDidReceiveMessage((message: unknown) => this.#receive(message));
    this.#loader.start({
      isVisible,
      load: () => {
        webview.html = linkedPage(webview, media, 'chat');
      },
      onRetry: () => log.warn('The chat panel did not load. It is loaded again'),
    });
    return received;
  }

  /** Called when the webview is hidden. The editor loads the page again when it is shown. */
  hide(): void {
    this.#isReady = false;
  }

  /** Called when the webview no longer exists. */
  unload(): void {
    this.hide();
    this.#webview = undefined;
    this.#loader.stop();
  }

  /** Posts a message now, or when the page is ready. */
  postOnceReady(message: ChatHostMessage): void {
    if (this.#session.panel.isVisible()) this.#post(message);
    else this.#whenReady = [message];
  }

  dispose(): void {
    this.#loader.stop();
    this.#posts.dispose();
  }

  async #receive(received: unknown): Promise<void> {
    const { log } = this.#services;
    try {
      const { chatOf, readPanelMessage } = await import('../../../pages/chat/panelMessages.ts');
      const message = readPanelMessage(received);
      if (message === undefined) log.warn(`The panel’s “${nameOfType(received)}” is not a valid message`);
      else if (message.type === 'ready') this.#start();
      else await this.#actions.receive(message, await this.#chatOf(chatOf(received)));
    } catch (error) {
      showFailure(log, `The panel’s “${nameOfType(received)}” failed`, error);
    }
  }

  #start(): void {
    this.#loader.stop();
    this.#isReady = true;
    this.#post({ type: 'state', state: this.#session.state });
    for (const waiting of this.#whenReady) this.#post(waiting);
    this.#whenReady = [];
    this.#session.repeat();
  }

  /** Another chat may have been chosen since the page has sent a message. */
  #chatOf(id: string | undefined): Chat | Promise<Chat> {
    const { chat } = this.#session;
    return id === undefined || id === chat.id ? chat : this.#services.chats.get(id);
  }

  /** A hidden page drops messages. It requests the whole state when it is shown again. */
  #post(message: ChatHostMessage): void {
    void this.#webview?.postMessage(message);
  }
}
