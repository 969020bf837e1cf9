import * as vscode from 'vscode';
import type { LiveConversation } from '../../../chat/conversation/liveConversation.ts';
import type { ChatHostMessage } from '../../../pages/chat/protocol.ts';

/** The messages to the panel. While no panel exists, they are dropped; a new panel requests the whole state. */
export class PanelChannel implements vscode.Disposable {
  readonly #shown: () => LiveConversation;
  readonly #posted = new vscode.EventEmitter<ChatHostMessage>();

  readonly onDidPost = this.#posted.event;

  /** Returns whether the user sees the panel. Set by the view. */
  isVisible: () => boolean = () => false;

  /** @param shown Returns the conversation that the panel currently shows. */
  constructor(shown: () => LiveConversation) {
    this.#shown = shown;
  }

  readonly post = (message: ChatHostMessage): void => this.#posted.fire(message);

  /** Posts a message about a conversation, unless the panel now shows another one. */
  postFrom(conversation: LiveConversation, message: ChatHostMessage): void {
    if (conversation === this.#shown()) this.#posted.fire(message);
  }

  dispose(): void {
    this.#posted.dispose();
  }
}
