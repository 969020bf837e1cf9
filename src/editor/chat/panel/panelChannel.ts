import * as vscode from 'vscode';
import type { LiveConversation } from '../conversation/liveConversation.ts';
import type { ChatHostMessage } from '../protocol.ts';

/** The messages to the panel. A panel that is not there gets none, and asks for the whole state when it comes. */
export class PanelChannel implements vscode.Disposable {
  readonly #shown: () => LiveConversation;
  readonly #posted = new vscode.EventEmitter<ChatHostMessage>();

  readonly onDidPost = this.#posted.event;

  /** @param shown the conversation that the panel shows now. */
  constructor(shown: () => LiveConversation) {
    this.#shown = shown;
  }

  readonly post = (message: ChatHostMessage): void => this.#posted.fire(message);

  /** Posts what belongs to a conversation, unless the panel shows another one by now. */
  postFrom(conversation: LiveConversation, message: ChatHostMessage): void {
    if (conversation === this.#shown()) this.#posted.fire(message);
  }

  dispose(): void {
    this.#posted.dispose();
  }
}
